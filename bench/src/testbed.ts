import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@corral/hub';
import { freePort } from '@corral/tools';
import { prepareUser, startBenchHub, type BenchHub, type BenchUser } from './bench-hub.ts';

/** One PostgreSQL for the hub and the anchors, so that both write to the same disk, and the hub. */
export interface Testbed {
  readonly user: BenchUser;
  readonly databaseUrl: string;
  /** The data folder of the hub. */
  readonly dataFolder: string;
  /** The running hub; another one after each restart. */
  readonly hub: BenchHub;
  /** Stops the hub and starts a fresh one on the same database. */
  restart(env?: Record<string, string>): Promise<BenchHub>;
  stop(): Promise<void>;
}

const silent = { info() {}, warn() {}, error() {} };

/** Starts PostgreSQL and a hub in a temporary folder. */
export async function openTestbed(): Promise<Testbed> {
  const folder = await mkdtemp(join(tmpdir(), 'corral-bench-'));
  const postgres = await startPostgres({ dataDir: folder, log: silent });
  const { host, port, user: role, password, database } = postgres.connection;
  const databaseUrl = `postgres://${role}:${encodeURIComponent(password)}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
  // All hubs of the testbed use one port, so that clients find the next one after a restart.
  const environment = {
    CORRAL_DATA_DIR: folder,
    CORRAL_DATABASE_URL: databaseUrl,
    CORRAL_PORT: String(await freePort()),
  };
  let hub = await startBenchHub(environment);
  return {
    user: await prepareUser(hub.url),
    databaseUrl,
    dataFolder: folder,
    get hub() {
      return hub;
    },
    async restart(env = {}) {
      await hub.program.stop();
      hub = await startBenchHub({ ...environment, ...env });
      return hub;
    },
    async stop() {
      await hub.program.stop();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
