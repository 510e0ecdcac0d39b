import { randomBytes } from 'node:crypto';
import type { Config } from '../config/config.ts';
import {
  breakConnections,
  connectDatabase,
  connectSql,
  type DatabaseAddress,
  type SqlDatabase,
} from '../platform/db/connect.ts';
import { ensureJobsSchema } from '../platform/db/jobs-schema.ts';
import { hubRole, prepareHubRole } from '../platform/db/hub-role.ts';
import { migrate } from '../platform/db/migrate.ts';
import { oldestRelease, SchemaError } from '../platform/db/schema-state.ts';
import { isLostWithContainer } from '../platform/files/data-folder.ts';
import { noteOldestRelease } from '../platform/files/oldest-release.ts';
import { refuseUnfinishedRestore } from '../platform/files/unfinished-restore.ts';
import type { Log } from '../platform/log/log.ts';
import { startPostgres, type RunningPostgres } from '../platform/postgres/start-postgres.ts';
import { version as release } from './version.ts';

/** A connection that answers no heartbeat within this time is destroyed, so that the next one has another. Heartbeats are 4 s apart. */
const heartbeatTimeoutMs = 4_000;

/** How long statements that still run when the hub stops may take. */
const lastStatementsMs = 2_000;

/** The hub's database, embedded or by URL, migrated and connected. */
export interface HubDatabase {
  readonly db: ReturnType<typeof connectDatabase>;
  /** Connections with synchronous_commit=off, for audit opening rows; the command's later commit makes them durable. */
  readonly openingDb: ReturnType<typeof connectDatabase>;
  /** One connection for the heartbeats of this node, which keep its lease: no other work can take it. */
  readonly heartbeatDb: ReturnType<typeof connectDatabase>;
  /** The connections of the job queue. */
  readonly jobsDb: SqlDatabase;
  /** Breaks all these connections. */
  breakConnections(): void;
  /** Closes the connections, breaks those whose statements take more than two seconds, and stops the embedded server. */
  stop(): Promise<void>;
}

/**
 * Starts the embedded database or connects to the configured one, and migrates it. Calls `check` before that, as soon as no other hub can use the data folder, and
 * fails if it rejects. Rejects with an Error with one sentence for the operator.
 */
export async function openDatabase(
  config: Config,
  log: Log,
  check: () => Promise<void> = () => Promise.resolve(),
): Promise<HubDatabase> {
  await refuseUnfinishedRestore(config.dataDir);
  if (config.databaseUrl !== undefined) await check();
  const embedded = config.databaseUrl === undefined ? await startEmbedded(config, log, check) : undefined;
  const note = (oldest: string): Promise<void> => noteOldestRelease(config.dataDir, oldest, log);
  let address: DatabaseAddress;
  try {
    address =
      embedded === undefined
        ? await migrated({ url: config.databaseUrl ?? '' }, note)
        : await prepareEmbedded(embedded.connection, note);
  } catch (error) {
    await embedded?.stop();
    throw embedded === undefined && !(error instanceof SchemaError) ? unusableDatabase(error) : error;
  }
  await warnOfLostData(config.dataDir, log);
  let isStopping = false;
  // A stopping embedded server terminates the connections that are still open.
  const onIdleError = (error: Error): void => {
    if (!isStopping) log.warn({ err: error }, 'an idle database connection failed');
  };
  const db = connectDatabase(address, { maxConnections: 32, onIdleError });
  const openingDb = connectDatabase(address, { maxConnections: 4, synchronousCommit: 'off', onIdleError });
  const heartbeatDb = connectDatabase(address, {
    maxConnections: 1,
    answerTimeoutMs: heartbeatTimeoutMs,
    onIdleError,
  });
  const jobsDb = connectSql(address, { maxConnections: 2, onIdleError });
  const breakAll = (): void => {
    breakConnections(db);
    breakConnections(openingDb);
    breakConnections(heartbeatDb);
    jobsDb.breakConnections();
  };
  const stop = async (): Promise<void> => {
    isStopping = true;
    const late = setTimeout(breakAll, lastStatementsMs);
    await Promise.all([db.destroy(), openingDb.destroy(), heartbeatDb.destroy(), jobsDb.close()]);
    clearTimeout(late);
    await embedded?.stop();
  };
  return { db, openingDb, heartbeatDb, jobsDb, breakConnections: breakAll, stop };
}

async function warnOfLostData(folder: string, log: Log): Promise<void> {
  if (await isLostWithContainer(folder))
    log.warn(
      { folder },
      'the data folder is in the file system of this container and is lost with it: mount a volume there',
    );
}

/** Migrates the database, and then runs `more` with the same role. */
async function migrated(
  address: DatabaseAddress,
  note: (oldestRelease: string) => Promise<void>,
  more?: (db: HubDatabase['db']) => Promise<void>,
): Promise<DatabaseAddress> {
  const db = connectDatabase(address, { maxConnections: 1, onIdleError() {} });
  try {
    await migrate(db, { release });
    await note((await oldestRelease(db)) ?? release);
    await ensureJobsSchema(db);
    await more?.(db);
    return address;
  } finally {
    await db.destroy();
  }
}

/** Migrates the embedded database as its superuser, and returns the address for the hub's own role, which gets a new password at each start. */
async function prepareEmbedded(
  superuser: RunningPostgres['connection'],
  note: (oldestRelease: string) => Promise<void>,
): Promise<DatabaseAddress> {
  const password = randomBytes(32).toString('base64url');
  await migrated(superuser, note, (db) => prepareHubRole(db, password));
  return { ...superuser, user: hubRole, password };
}

function startEmbedded(config: Config, log: Log, onLocked: () => Promise<void>): Promise<RunningPostgres> {
  return startPostgres({
    onLocked,
    dataDir: config.dataDir,
    searchPath: config.searchPath ?? '',
    log: {
      info: (message, fields) => log.info(fields ?? {}, message),
      warn: (message, fields) => log.warn(fields ?? {}, message),
      error: (message, fields) => log.error(fields ?? {}, message),
    },
    onExit: () => log.error({}, 'PostgreSQL exited unexpectedly; restarting it'),
    onRestart: () => log.info({}, 'PostgreSQL is running again'),
  });
}

/** The error for a configured database that cannot be used, with the reason. */
export function unusableDatabase(error: unknown): Error {
  const why = error instanceof Error ? error.message : String(error);
  return new Error(`CORRAL_DATABASE_URL: the database cannot be used: ${why}`, { cause: error });
}
