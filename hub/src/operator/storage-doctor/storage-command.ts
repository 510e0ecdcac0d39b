import { createProgress } from '../backup/progress.ts';
import { loadConfig } from '../../config/config.ts';
import { storageCommandLine, type StorageArguments } from '../../config/storage-command-line.ts';
import type { HubArguments } from '../../config/sub-command-line.ts';
import { checkSchema } from '../doctor/check-database.ts';
import { exitCodeOf, jsonOf, textOf } from '../doctor/print-findings.ts';
import { openOffline } from '../offline-executor.ts';
import { openExistingDatabase, type ExistingDatabase } from '../open-existing-database.ts';
import type { HubCommand } from '../run-command.ts';
import { version } from '../../wiring/version.ts';
import { claimStores } from './claim-stores.ts';
import { examineStorage } from './storage-doctor.ts';
import { moveAssets } from './move-assets.ts';
import type { StorageFinding } from './report.ts';

/** `corral-hub storage`. */
export const storageCommand: HubCommand<StorageArguments> = {
  commandLine: storageCommandLine,

  async run(given, output) {
    const findings = await examine(given);
    output.write(given.isJson ? `${jsonOf(findings)}\n` : textOf(findings));
    return exitCodeOf(findings);
  },
};

async function examine(given: StorageArguments & HubArguments): Promise<StorageFinding[]> {
  const { hubArguments, command, isFixing, isDryRun, isReading, isFolderLost } = given;
  const config = loadConfig({ argv: hubArguments });
  const database = await openExistingDatabase(config);
  try {
    await mustHaveSchema(database);
    const { executor, storages } = await openOffline(config, database);
    const progress = createProgress(terminalOnly());
    if (command === 'claim') return await claimStores(executor);
    if (command === 'move') return await moveAssets({ db: database.db, executor, storages }, progress);
    const mode = isFixing ? 'fix' : isDryRun ? 'dry-run' : 'report';
    const { db, now } = database;
    const parts = { db, executor, storages, now };
    const doctor = { ...parts, mode, isReading, isFolderLost } as const;
    return await examineStorage(doctor, progress);
  } finally {
    await database.close();
  }
}

/** Rejects if the database is not migrated for this release. */
async function mustHaveSchema({ db }: ExistingDatabase): Promise<void> {
  const [finding] = await checkSchema(db, version);
  if (finding?.state === 'wrong') throw new Error(finding.text);
}

/** The progress is for people who watch. */
const terminalOnly = () => (process.stderr.isTTY ? process.stderr : { write: () => true });
