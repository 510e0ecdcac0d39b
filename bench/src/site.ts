import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@corral/hub';
import { freePort } from './free-port.ts';
import { prepareUser, startBenchHub, type BenchHub, type BenchUser } from './bench-hub.ts';

/** What the lines are measured on: one PostgreSQL that serves the hub and the anchors, so that both write to the same disk. */
export interface Site {
  readonly user: BenchUser;
  readonly databaseUrl: string;
  /** The hub of now. */
  readonly hub: BenchHub;
  /** Stops the hub and starts another on the same database, which has no memory of what was measured before. */
  restart(env?: Record<string, string>): Promise<BenchHub>;
  stop(): Promise<void>;
}

const silent = { info() {}, warn() {}, error() {} };

/** Starts PostgreSQL and a hub in a folder of their own. */
export async function openSite(): Promise<Site> {
  const folder = await mkdtemp(join(tmpdir(), 'corral-bench-'));
  const postgres = await startPostgres({ dataDir: folder, log: silent });
  const { host, port, user: role, password, database } = postgres.connection;
  const databaseUrl = `postgres://${role}:${encodeURIComponent(password)}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
  // One port for all hubs of the site, so that who was told of the first finds the next.
  const environment = {
    CORRAL_DATA_DIR: folder,
    CORRAL_DATABASE_URL: databaseUrl,
    CORRAL_PORT: String(await freePort()),
  };
  let hub = await startBenchHub(environment);
  return {
    user: await prepareUser(hub.url),
    databaseUrl,
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
