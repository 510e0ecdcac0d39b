import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { locateOnSystem, startPostgres } from '@corral/hub';
import pg from 'pg';
import { prepareUser, startBenchHub, type BenchUser } from '../bench-hub.ts';

/** A hub on a server whose version the anchors know, and a folder for backups. */
export interface BackupTestbed {
  /** For whatever is made; removed at the end. */
  readonly folder: string;
  readonly user: BenchUser;
  /** The data folder of the hub. */
  readonly dataDir: string;
  readonly databaseUrl: string;
  /** Makes an empty database on the same server, and resolves with its URL. */
  createDatabase(name: string): Promise<string>;
  dropDatabase(name: string): Promise<void>;
  stop(): Promise<void>;
}

const silent = { info() {}, warn() {}, error() {} };

/**
 * Starts both. The packages of the embedded PostgreSQL have no `pg_dump`, and one that is older than its server refuses to dump: so the hub uses a server of
 * the system's version.
 */
export async function openBackupTestbed(neededBytes: number): Promise<BackupTestbed> {
  await requireSpace(neededBytes);
  const programs = locateOnSystem(process.env['PATH']);
  if (programs === undefined)
    throw new Error('The anchor of backups needs a PostgreSQL of the system (Debian: postgresql).');
  const folder = await mkdtemp(join(tmpdir(), 'corral-bench-'));
  // The account of PostgreSQL has to pass through it.
  await chmod(folder, 0o711);
  const postgres = await startPostgres({ dataDir: join(folder, 'server'), log: silent, programs });
  const { host, port, user: role, password, database } = postgres.connection;
  const urlOf = (name: string): string =>
    `postgres://${role}:${encodeURIComponent(password)}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`;
  const execute = async (statement: string): Promise<void> => {
    const client = new pg.Client({ connectionString: urlOf('postgres') });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  const dataDir = join(folder, 'data');
  const hub = await startBenchHub({ CORRAL_DATA_DIR: dataDir, CORRAL_DATABASE_URL: urlOf(database) });
  return {
    folder,
    user: await prepareUser(hub.url),
    dataDir,
    databaseUrl: urlOf(database),
    async createDatabase(name) {
      await execute(`create database ${name}`);
      return urlOf(name);
    },
    dropDatabase: (name) => execute(`drop database ${name}`),
    async stop() {
      await hub.program.stop();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function requireSpace(neededBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(tmpdir());
  if (bavail * bsize < neededBytes)
    throw new Error(
      `${tmpdir()} has ${Math.floor((bavail * bsize) / 1e9)} GB left, and this needs ${Math.ceil(neededBytes / 1e9)} GB.`,
    );
}
