import type { Kysely } from 'kysely';
import type { Config } from './config.ts';
import { connectDatabase, connectSql, type DatabaseAddress, type SqlDatabase } from './db/connect.ts';
import { ensureJobsSchema } from './db/jobs-schema.ts';
import { migrate } from './db/migrate.ts';
import type { Tables } from './db/tables.ts';
import type { Log } from './log.ts';
import { startPostgres, type RunningPostgres } from './postgres/start-postgres.ts';

/** The database that the hub works on, embedded or named by its URL, migrated and connected. */
export interface HubDatabase {
  readonly db: Kysely<Tables>;
  /** Commits without waiting for the flush; for rows that a later, flushed commit vouches for. */
  readonly openingDb: Kysely<Tables>;
  /** The connections of the job queue. */
  readonly jobsDb: SqlDatabase;
  /** Closes the connections, and stops the embedded server. */
  stop(): Promise<void>;
}

/** Starts or reaches the database and brings it to the newest schema. Throws an Error with one sentence for the operator. */
export async function openDatabase(config: Config, log: Log): Promise<HubDatabase> {
  const embedded = config.databaseUrl === undefined ? await startEmbedded(config, log) : undefined;
  const address: DatabaseAddress = embedded?.connection ?? { url: config.databaseUrl ?? '' };
  const onIdleError = (error: Error) => log.warn({ err: error }, 'a connection to the database broke');
  const db = connectDatabase(address, { maxConnections: 20, onIdleError });
  const openingDb = connectDatabase(address, { maxConnections: 4, synchronousCommit: 'off', onIdleError });
  const jobsDb = connectSql(address, { maxConnections: 2, onIdleError });
  const stop = async (): Promise<void> => {
    await Promise.all([db.destroy(), openingDb.destroy(), jobsDb.close()]);
    await embedded?.stop();
  };
  try {
    await migrate(db);
    await ensureJobsSchema(db);
  } catch (error) {
    await stop();
    throw embedded === undefined ? unreachable(error) : error;
  }
  return { db, openingDb, jobsDb, stop };
}

function startEmbedded(config: Config, log: Log): Promise<RunningPostgres> {
  return startPostgres({
    dataDir: config.dataDir,
    searchPath: config.searchPath ?? '',
    log: {
      info: (message, fields) => log.info(fields ?? {}, message),
      warn: (message, fields) => log.warn(fields ?? {}, message),
      error: (message, fields) => log.error(fields ?? {}, message),
    },
    onExit: () => log.error({}, 'the database ended by itself and is being started again'),
    onRestart: () => log.info({}, 'the database is back'),
  });
}

function unreachable(error: unknown): Error {
  const why = error instanceof Error ? error.message : String(error);
  return new Error(`CORRAL_DATABASE_URL: the database cannot be used: ${why}`, { cause: error });
}
