import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@corral/hub';
import { prepareUser, startBenchHub } from './bench-hub.ts';
import { calls } from './calls.ts';
import { consolePaints } from './console.ts';
import { idleConnections, prepareIdleDevices } from './idle-connections.ts';
import { ingest } from './ingest.ts';
import { starts } from './starts.ts';
import { table, type Line } from './table.ts';

const folder = await mkdtemp(join(tmpdir(), 'corral-bench-'));
const silent = { info() {}, warn() {}, error() {} };
const lines: Line[] = [];
const add = (what: string, more: readonly Line[]): void => {
  lines.push(...more);
  process.stderr.write(`measured ${what}\n`);
};

// One PostgreSQL serves the hub and the anchors, so that both write to the same disk in the same run.
const postgres = await startPostgres({ dataDir: folder, log: silent });
const { host, port, user: role, password, database } = postgres.connection;
const databaseUrl = `postgres://${role}:${encodeURIComponent(password)}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
const environment = { CORRAL_DATA_DIR: folder, CORRAL_DATABASE_URL: databaseUrl };
let hub = await startBenchHub(environment);
try {
  const user = await prepareUser(hub.url);
  add('paints of the console', await consolePaints(hub, user));
  add('calls', await calls(hub, user, databaseUrl));
  add('event ingest', await ingest(hub, user, databaseUrl));
  const devices = await prepareIdleDevices(user);
  await hub.program.stop();
  hub = await startBenchHub(environment);
  add('idle connections', await idleConnections(hub, devices));
} finally {
  await hub.program.stop();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
add('starts', await starts());

const [processor] = cpus();
process.stdout.write(
  `\n${cpus().length} × ${processor?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}\n\n`,
);
process.stdout.write(`${table(lines)}\n`);
