import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { freshDatabase, type FreshDatabase } from '../../../test/fresh-database.ts';
import { loadConfig } from '../../config/config.ts';
import type { DatabaseAddress } from '../../platform/db/connect.ts';
import { startHub, type RunningHub } from '../../hub.ts';
import { hasNatsServer, natsServer, needNats } from '../../../test/nats-server.ts';
import { createLog } from '../../platform/log/log.ts';
import { recordStatements } from '../../../test/recorded-statements.ts';

const waiting = 'waiting up to 20 s for the lease of another hub on this database to end';

let database: FreshDatabase;
let dataDir: string;
beforeEach(async () => {
  database = await freshDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'corral-two-hubs-'));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await database[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
});

function urlOf(address: DatabaseAddress): string {
  if ('url' in address) return address.url;
  const { host, user, password, database: name } = address;
  return `postgres://${user}:${encodeURIComponent(password)}@localhost/${name}?host=${encodeURIComponent(host)}`;
}

/** Starts a hub on the database under a node name; returns what it has logged as well. */
function start(
  nodeName: string,
  more: Readonly<Record<string, string>> = {},
): { starting: Promise<RunningHub>; logged: string[] } {
  const logged: string[] = [];
  const destination = { write: (line: string) => logged.push(line) } as unknown as NodeJS.WritableStream;
  const env = {
    CORRAL_DATABASE_URL: urlOf(database.address),
    CORRAL_DATA_DIR: dataDir,
    CORRAL_NODE_NAME: nodeName,
    ...more,
  };
  const config = loadConfig({ argv: ['--port', '0'], env, hostname: 'testing', isTerminal: false });
  const starting = startHub(config, createLog({ level: 'info', format: 'json', destination }));
  starting.catch(() => undefined);
  return { starting, logged };
}

const waitUntilLogged = (logged: readonly string[]) =>
  vi.waitFor(() => expect(logged.join('')).toContain(waiting));

test('a second hub on a database is refused with one sentence, and starts once the first has stopped', async () => {
  const first = await start('north').starting;
  const refused = start('south');
  await waitUntilLogged(refused.logged);
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 20_000);
  await expect(refused.starting).rejects.toThrow(
    /^Another hub \(north\) runs on this database: stop that one first, or run both as nodes of one cluster, with the same CORRAL_NATS_URL and CORRAL_SECRET_KEY\.$/,
  );
  vi.restoreAllMocks();
  const next = start('south');
  await waitUntilLogged(next.logged);
  await first.stop();
  const second = await next.starting;
  expect((await fetch(new URL('/readyz', second.url))).status).toBe(200);
  await second.stop();
});

test('requests for the readiness of a hub share what its database answered, for a quarter of a second', async () => {
  const hub = await start('north').starting;
  const ask = async () => (await fetch(new URL('/readyz', hub.url))).status;
  const nowMs = performance.now();
  const clock = vi.spyOn(performance, 'now').mockReturnValue(nowMs);
  using statements = recordStatements();
  const pings = () => statements.containing('select 1').filter(({ text }) => text === 'select 1').length;
  expect(new Set(await Promise.all(Array.from({ length: 50 }, ask)))).toEqual(new Set([200]));
  expect(pings()).toBe(1);
  clock.mockReturnValue(nowMs + 250);
  expect(await ask()).toBe(200);
  expect(pings()).toBe(2);
  vi.restoreAllMocks();
  await hub.stop();
});

test('a hub that stood still for more than ten seconds says so in its log, and is not ready for a while', async () => {
  const { starting, logged } = start('north');
  const hub = await starting;
  const ready = async () => (await fetch(new URL('/readyz', hub.url))).status;
  expect(await ready()).toBe(200);
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 10_500);
  expect(await ready()).toBe(503);
  expect(logged.join('')).toMatch(/"durationMs":10\d{3},.*the event loop stood still/);
  await hub.stop();
});

test('[needs NATS] a hub starts without its NATS, serves, and says what is missing until it is there', async ({
  skip,
}) => {
  needNats(skip);
  if (!hasNatsServer) return;
  await using nats = await natsServer();
  await nats.stop();
  const hub = await start('north', {
    CORRAL_NATS_URL: `nats://127.0.0.1:${nats.port}`,
    CORRAL_SECRET_KEY: randomBytes(32).toString('base64'),
  }).starting;
  const read = async (path: string) => {
    const answer = await fetch(new URL(path, hub.url));
    return `${answer.status} ${await answer.text()}`;
  };
  const reported = async () =>
    (await database.db.selectFrom('cluster_nodes').select('message_bus').execute()).map(
      (row) => row.message_bus,
    );
  const away =
    '200 ready\nNATS cannot be reached: changes on other nodes take effect here after some seconds.\n';
  expect(await read('/readyz')).toBe(away);
  expect(await read('/metrics')).toContain('\ncorral_nats_connected 0\n');
  await expect.poll(reported).toEqual(['Disconnected']);
  await nats.start();
  await expect.poll(() => read('/readyz')).toBe('200 ready\n');
  expect(await read('/metrics')).toContain('\ncorral_nats_connected 1\n');
  await expect.poll(reported).toEqual(['Connected']);
  await nats.stop();
  await expect.poll(() => read('/readyz')).toBe(away);
  await hub.stop();
});
