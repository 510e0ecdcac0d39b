import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { connectDatabase, type DatabaseAddress } from '../platform/db/connect.ts';
import { startDatabaseClock } from '../platform/db/database-clock.ts';
import { dataFolderMessage } from '../platform/files/data-folder.ts';
import { refuseUnfinishedRestore } from '../platform/files/unfinished-restore.ts';
import { findRunningServer } from '../platform/postgres/running-server.ts';
import { startPostgres } from '../platform/postgres/start-postgres.ts';
import { machineClocks } from '../wiring/machine-clocks.ts';
import { unusableDatabase } from '../wiring/open-database.ts';

/** A database that is not migrated, and that a hub may use at the same time. */
export interface ExistingDatabase {
  readonly db: ReturnType<typeof connectDatabase>;
  readonly address: DatabaseAddress;
  /** The time of the database, by which running hubs set and judge leases. */
  readonly now: () => Date;
  close(): Promise<void>;
}

const silent = { info() {}, warn() {}, error() {} };

/** Opens the configured or the embedded database; starts the embedded one until `close` if no hub runs it. */
export async function openExistingDatabase(config: Config): Promise<ExistingDatabase> {
  await refuseUnfinishedRestore(config.dataDir);
  if (config.databaseUrl !== undefined)
    return connected({ url: config.databaseUrl }).catch((error: unknown) => {
      throw unusableDatabase(error);
    });
  const running = await findRunningServer(config.dataDir);
  const attached = running && (await connected(running).catch(() => undefined));
  if (attached !== undefined) return attached;
  await access(join(config.dataDir, 'postgres', 'cluster')).catch((error: unknown) => {
    const isAbsent = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const sentence = isAbsent ? undefined : dataFolderMessage(error, config.dataDir);
    throw new Error(sentence ?? `CORRAL_DATA_DIR: there is no database in ${config.dataDir}.`, {
      cause: error,
    });
  });
  const started = await startPostgres({
    dataDir: config.dataDir,
    searchPath: config.searchPath ?? '',
    log: silent,
  });
  const stop = () => started.stop();
  return connected(started.connection, stop).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
}

async function connected(address: DatabaseAddress, stop?: () => Promise<void>): Promise<ExistingDatabase> {
  const db = connectDatabase(address, { maxConnections: 2, onIdleError() {} });
  try {
    const clock = await startDatabaseClock({ db, log: silent, ...machineClocks });
    const close = async (): Promise<void> => {
      await clock.stop();
      await db.destroy();
      await stop?.();
    };
    return { db, address, now: clock.now, close };
  } catch (error) {
    await db.destroy();
    throw error;
  }
}
