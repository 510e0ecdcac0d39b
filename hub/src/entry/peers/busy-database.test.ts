import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ids, type Id } from '@corral/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { callUrl } from '../../../test/asset-scene.ts';
import { freshDatabase, type FreshDatabase } from '../../../test/fresh-database.ts';
import { loadConfig } from '../../config/config.ts';
import type { DatabaseAddress } from '../../platform/db/connect.ts';
import { startHub, type RunningHub } from '../../hub.ts';
import { createLog } from '../../platform/log/log.ts';

const administrator = { email: 'admin@example.org', password: 'gate-latch-and-rail' };

let database: FreshDatabase;
let dataDir: string;
let hub: RunningHub;

function urlOf(address: DatabaseAddress): string {
  if ('url' in address) return address.url;
  const { host, user, password, database: name } = address;
  return `postgres://${user}:${encodeURIComponent(password)}@localhost/${name}?host=${encodeURIComponent(host)}`;
}

beforeAll(async () => {
  database = await freshDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'corral-busy-'));
  const env = {
    CORRAL_DATABASE_URL: urlOf(database.address),
    CORRAL_DATA_DIR: dataDir,
    CORRAL_ADMIN_EMAIL: administrator.email,
    CORRAL_ADMIN_PASSWORD: administrator.password,
  };
  const config = loadConfig({ argv: ['--port', '0'], env, hostname: 'testing', isTerminal: false });
  const destination = { write: () => true } as unknown as NodeJS.WritableStream;
  hub = await startHub(config, createLog({ level: 'info', format: 'json', destination }));
});
afterAll(async () => {
  await hub.stop();
  await database[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
});

function post(path: string, body: unknown, cookie = '') {
  return callUrl(new URL(path, hub.url).href, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie },
    body: Buffer.from(JSON.stringify(body)),
  });
}

async function signIn(who: { email: string; password: string }): Promise<string> {
  const { headers } = await post('/api/private/login', who);
  return headers['set-cookie']?.[0]?.split(';')[0] ?? '';
}

async function invoke<Answer>(cookie: string, name: string, input: unknown): Promise<Answer> {
  const { status, bytes } = await post(`/api/v1/actions/invoke/${name}`, input, cookie);
  if (status !== 200) throw new Error(`${name} ended with ${status}: ${bytes.toString()}`);
  return JSON.parse(bytes.toString()) as Answer;
}

/** A user with a project. */
async function newOwner(name: string) {
  const who = { email: `${name}@example.org`, password: 'gate-latch-and-rail' };
  await invoke(await signIn(administrator), 'users_CreateUser', { ...who, name });
  const cookie = await signIn(who);
  const { projectId } = await invoke<{ projectId: Id<'project'> }>(cookie, 'projects_CreateProject', {
    name,
  });
  const rename = () => invoke(cookie, 'projects_SetName', { projectId, name: `${name} again` });
  return { cookie, projectId, rename };
}

/** Locks the rows of projects until it is committed. */
async function lock(...projectIds: Id<'project'>[]) {
  const tx = await database.db.startTransaction().execute();
  await sql`select 1 from projects where project_id = any(${projectIds.map(ids.project.raw)}) for update`.execute(
    tx,
  );
  return tx;
}

/** How many statements wait for a row or for one that waits for it. */
async function waitingStatements(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
    database.db,
  );
  return rows[0]?.count ?? 0;
}

test('the commands of one user that wait for a row leave connections to the database to others', async () => {
  const [ada, bea] = [await newOwner('ada'), await newOwner('bea')];
  const held = await lock(ada.projectId);
  const waiting = Array.from({ length: 60 }, ada.rename);
  await vi.waitFor(async () => expect(await waitingStatements()).toBe(8));
  await bea.rename();
  expect(await waitingStatements()).toBe(8);
  await held.commit().execute();
  expect(await Promise.all(waiting)).toHaveLength(60);
});

test('the commands of many users that wait for rows leave connections to queries and searches', async () => {
  const owners = [await newOwner('cleo'), await newOwner('dora'), await newOwner('edna')];
  const held = await lock(...owners.map(({ projectId }) => projectId));
  const waiting = owners.flatMap(({ rename }) => Array.from({ length: 8 }, rename));
  await vi.waitFor(async () => expect(await waitingStatements()).toBe(10));
  const [{ cookie, projectId }] = owners as [Awaited<ReturnType<typeof newOwner>>];
  await invoke(cookie, 'projects_GetProjectDetails', { projectId });
  const searches = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) =>
    invoke(cookie, 'projects_QueryProjectDevices', { projectId, filter: `name:${name}` }),
  );
  await Promise.all(searches);
  expect(await waitingStatements()).toBe(10);
  await held.commit().execute();
  expect(await Promise.all(waiting)).toHaveLength(24);
});

test('a hundred slow queries of one user leave connections to the database to others', async () => {
  const [gil, hal] = [await newOwner('gil'), await newOwner('hal')];
  const held = await database.db.startTransaction().execute();
  await sql`lock table deployment_tokens in access exclusive mode`.execute(held);
  const slow = () =>
    invoke(gil.cookie, 'projects_QueryProjectDeploymentTokens', { projectId: gil.projectId });
  const waiting = Array.from({ length: 100 }, slow);
  await vi.waitFor(async () => expect(await waitingStatements()).toBe(12));
  const { projectId } = hal;
  await invoke(hal.cookie, 'projects_QueryProjectDevices', { projectId });
  await invoke(hal.cookie, 'projects_QueryProjectDevices', { projectId, filter: 'name:a' });
  await hal.rename();
  expect(await waitingStatements()).toBe(12);
  await held.commit().execute();
  // On a slow machine some have waited in vain.
  await Promise.allSettled(waiting);
});

test('slow lookups of public files for one network leave connections to the database to others', async () => {
  const { rename } = await newOwner('ivy');
  const held = await database.db.startTransaction().execute();
  await sql`lock table repositories in access exclusive mode`.execute(held);
  const look = () => callUrl(new URL('/r/tools/pump/stable/image.bin', hub.url).href);
  const waiting = Array.from({ length: 45 }, look);
  await vi.waitFor(async () => expect(await waitingStatements()).toBe(2));
  await rename();
  expect(await waitingStatements()).toBe(2);
  await held.commit().execute();
  await Promise.allSettled(waiting);
});

test('a node whose commands and reads all wait for the database keeps its lease', async () => {
  const owners = [await newOwner('jan'), await newOwner('kit')];
  const held = await lock(...owners.map(({ projectId }) => projectId));
  await sql`lock table repositories in access exclusive mode`.execute(held);
  const look = () => callUrl(new URL('/r/tools/pump/stable/image.bin', hub.url).href);
  const renaming = owners.flatMap(({ rename }) => Array.from({ length: 8 }, rename));
  const waiting: Promise<unknown>[] = [...renaming, ...Array.from({ length: 5 }, look)];
  // Ten commands, and two look-ups of one network.
  await vi.waitFor(async () => expect(await waitingStatements()).toBe(10 + 2));
  const { rows } = await sql<{ at: string }>`select clock_timestamp() as at`.execute(database.db);
  const beats = () =>
    database.db
      .selectFrom('cluster_nodes')
      .select('node_id')
      .where('last_heartbeat_at', '>', rows[0]?.at ?? '')
      .execute();
  await vi.waitFor(async () => expect(await beats()).toHaveLength(1), { timeout: 12_000, interval: 100 });
  await held.commit().execute();
  await Promise.allSettled(waiting);
});
