import { createProgress } from '../../backup/progress.ts';
import { loadConfig } from '../../config/config.ts';
import {
  readStorageCommandLine,
  storageHelp,
  type StorageCommandLine,
} from '../../config/storage-command-line.ts';
import { checkSchema } from '../doctor/check-database.ts';
import { exitCodeOf, jsonOf, textOf } from '../doctor/print-findings.ts';
import { openOffline } from '../offline-executor.ts';
import { openExistingDatabase, type ExistingDatabase } from '../open-existing-database.ts';
import { version } from '../version.ts';
import { examineStorage } from './storage-doctor.ts';
import type { StorageFinding } from './report.ts';

/** Runs `corral-hub storage …`, prints what it found, and resolves with the exit code. */
export async function runStorageCommand(
  argv: readonly string[],
  output: NodeJS.WritableStream,
): Promise<number> {
  try {
    const commandLine = readStorageCommandLine(argv);
    const { isHelpWanted, isVersionWanted, isJson } = commandLine;
    if (isHelpWanted || isVersionWanted) {
      output.write(isHelpWanted ? storageHelp : `${version}\n`);
      return 0;
    }
    const findings = await examine(commandLine);
    output.write(isJson ? `${jsonOf(findings)}\n` : textOf(findings));
    return exitCodeOf(findings);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 2;
  }
}

async function examine({
  hubArguments,
  isFixing,
  isDryRun,
  isReading,
}: StorageCommandLine): Promise<StorageFinding[]> {
  const config = loadConfig({ argv: hubArguments });
  const database = await openExistingDatabase(config);
  try {
    await requireSchema(database);
    const { executor, storages } = await openOffline(config, database);
    const mode = isFixing ? 'fix' : isDryRun ? 'dry-run' : 'report';
    const doctor = { db: database.db, executor, storages, now: () => new Date(), mode, isReading } as const;
    return await examineStorage(doctor, createProgress(terminalOnly()));
  } finally {
    await database.close();
  }
}

/** Rejects if the database is not migrated for this release. */
async function requireSchema({ db }: ExistingDatabase): Promise<void> {
  const [finding] = await checkSchema(db, version);
  if (finding?.state === 'wrong') throw new Error(finding.text);
}

/** The progress is for people who watch. */
const terminalOnly = () => (process.stderr.isTTY ? process.stderr : { write: () => true });
