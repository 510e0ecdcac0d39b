import { resolve } from 'node:path';
import { asDataDirError, prepareFolders, removeUnfinished } from './folders.ts';
import { lockFolder } from './folder-lock.ts';
import { type ClusterPlan, database, ensureCluster, role } from './initialize-cluster.ts';
import { installPrograms } from './install-programs.ts';
import { type ProgramSource, locatePrograms } from './locate-programs.ts';
import { type Postmaster, type ServerPlan, startPostmaster } from './postmaster.ts';
import { openServerLog } from './server-log.ts';
import type { ServerUse } from './settings.ts';
import type { PostgresLog } from './PostgresLog.ts';
import { prepareSocketFolder, removeTemporary } from './socket-folder.ts';
import { stopOrphanedServer } from './stop-orphaned-server.ts';
import { type PostgresExit, type Supervisor, supervise } from './supervise.ts';

/** The options of the embedded PostgreSQL. */
export interface PostgresOptions extends ServerUse {
  /** The hub's data folder (CORRAL_DATA_DIR); PostgreSQL uses its subfolder `postgres`. */
  dataDir: string;
  log: PostgresLog;
  /** Called when no other hub can use the folder any more, before the database is created or started. The start fails if it rejects. */
  onLocked?: () => Promise<void>;
  /** Called after an unexpected exit; connections fail until onRestart. */
  onExit?: (exit: PostgresExit) => void;
  /** Called when the server accepts connections again. */
  onRestart?: (pid: number) => void;
  /** The PATH, to search for the system's PostgreSQL when the npm package is missing. */
  searchPath?: string;
  /** PostgreSQL's programs; found automatically by default. */
  programs?: ProgramSource;
}

/** Connection options for `pg`. They stay the same when the server restarts. */
export interface PostgresConnection {
  /** The folder of the Unix socket. */
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
}

/** The embedded PostgreSQL under supervision. */
export interface RunningPostgres {
  connection: PostgresConnection;
  version: string;
  /** The postmaster's process id; undefined while it is being restarted. */
  readonly pid: number | undefined;
  /** How often the server was restarted after an unexpected exit. */
  readonly restarts: number;
  /** Stops the server within about 45 s (open transactions are rolled back) and unlocks the folder. May be called repeatedly. */
  stop(): Promise<void>;
}

/**
 * Starts the embedded PostgreSQL and keeps it running until stop(), or until the hub's process ends for any reason.
 * Rejects with a PostgresStartError, with one sentence for the operator that names CORRAL_DATA_DIR if the folder is the reason.
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const cleanups: (() => unknown)[] = [];
  const cleanUp = async (): Promise<void> => {
    for (const step of cleanups.splice(0).toReversed()) await step();
  };
  try {
    return await startWith(options, cleanups, cleanUp);
  } catch (error) {
    await cleanUp();
    throw asDataDirError(error, options.dataDir);
  }
}

async function startWith(
  options: PostgresOptions,
  cleanups: (() => unknown)[],
  cleanUp: () => Promise<void>,
): Promise<RunningPostgres> {
  const source = options.programs ?? locatePrograms(options.searchPath);
  const { folders, account } = await prepareFolders(resolve(options.dataDir));
  const lock = await lockFolder(folders.root, folders.dataDir);
  cleanups.push(() => lock.release());
  await options.onLocked?.();
  await removeUnfinished(folders.root);
  const log = openServerLog(folders.logFile);
  cleanups.push(() => log.close());
  if ((await stopOrphanedServer(folders.cluster)) === 'stopped')
    options.log.warn('Stopped the PostgreSQL of a hub that was killed');
  const binFolder = await installPrograms(source, folders);
  const clusterPlan: ClusterPlan = { folders, account, binFolder, log, version: source.version };
  const { password, isNew } = await ensureCluster(clusterPlan);
  if (isNew) options.log.info('Created the database', { folder: folders.cluster, version: source.version });
  const socketFolder = await prepareSocketFolder(folders, account);
  cleanups.push(() => removeTemporary(folders, account));
  const plan: ServerPlan = { folders, account, binFolder, socketFolder, log, use: options };
  const supervisor = await startSupervised(plan, options);
  cleanups.push(() => supervisor.stop());
  const connection = { host: socketFolder, port: 5432, user: role, password, database };
  return toRunning(connection, source.version, supervisor, cleanUp);
}

async function startSupervised(plan: ServerPlan, options: PostgresOptions): Promise<Supervisor> {
  const start = async (signal: AbortSignal): Promise<Postmaster> => {
    await stopOrphanedServer(plan.folders.cluster);
    return startPostmaster(plan, signal);
  };
  const { log, onExit, onRestart } = options;
  return supervise(await startPostmaster(plan, new AbortController().signal), {
    start,
    log,
    onExit,
    onRestart,
  });
}

function toRunning(
  connection: PostgresConnection,
  version: string,
  supervisor: Supervisor,
  cleanUp: () => Promise<void>,
): RunningPostgres {
  let stopped: Promise<void> | undefined;
  return {
    connection,
    version,
    get pid() {
      return supervisor.pid();
    },
    get restarts() {
      return supervisor.restarts();
    },
    stop: () => (stopped ??= cleanUp()),
  };
}
