import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ownDatabase, type FreshDatabase } from '../../test/fresh-database.ts';
import { absentId, freshExecutor, userActor } from '../../test/fresh-executor.ts';
import { recordStatements } from '../../test/recorded-statements.ts';
import { connectDatabase, type Database } from '../platform/db/connect.ts';
import type { Caller } from './executor.ts';
import { Turns } from './turns.ts';

let database: FreshDatabase;
let db: ReturnType<typeof connectDatabase>;
beforeAll(async () => {
  database = await ownDatabase();
  // As many connections as a hub has.
  db = connectDatabase(database.address, { maxConnections: 20, onIdleError() {} });
});
afterAll(async () => {
  await db.destroy();
  await database[Symbol.asyncDispose]();
});

const newCaller = (): Caller => ({ actor: userActor(absentId('user')), origin: {} });
const newDevice = (projectId: string): Caller => ({
  actor: {
    actor: 'Device',
    kind: 'Device',
    deviceId: absentId('device'),
    tokenId: absentId('deploymentTokenId'),
  },
  origin: { projectId },
});
const lock = (tx: Database) => sql`select pg_advisory_xact_lock(15)`.execute(tx);
const waiting = async () => {
  const { rows } = await sql<{ count: number }>`
    select count(*) from pg_locks where locktype = 'advisory' and objid = 15 and not granted`.execute(db);
  return rows[0]?.count;
};

/** Does work while every search waits for a lock. */
async function whileSearchesHang(work: () => Promise<void>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lock(tx);
    await work();
  });
}

test('two of a caller and six in all run at a time, and calls that do not search go on', async () => {
  const turns = new Turns(db);
  const [one, ...others] = Array.from({ length: 20 }, newCaller) as [Caller, ...Caller[]];
  const running: Promise<unknown>[] = [];
  await whileSearchesHang(async () => {
    running.push(...Array.from({ length: 20 }, () => turns.search(one, lock)));
    await expect.poll(waiting).toBe(2);
    running.push(...others.map((caller) => turns.search(caller, lock)));
    await expect.poll(waiting).toBe(6);
    // Each needs a connection that no search has taken.
    await Promise.all(Array.from({ length: 20 }, waiting));
    expect(await waiting()).toBe(6);
  });
  await Promise.all(running);
});

test('two of the devices of a project and three of all devices run at a time, and people find the other places', async () => {
  const turns = new Turns(db);
  const running: Promise<unknown>[] = [];
  const searchAs = (callers: readonly Caller[]) =>
    running.push(...callers.map((caller) => turns.search(caller, lock)));
  await whileSearchesHang(async () => {
    searchAs(Array.from({ length: 10 }, () => newDevice('p1')));
    await expect.poll(waiting).toBe(2);
    searchAs(['p2', 'p3', 'p4'].map(newDevice));
    await expect.poll(waiting).toBe(3);
    searchAs(Array.from({ length: 3 }, newCaller));
    await expect.poll(waiting).toBe(6);
  });
  await Promise.all(running);
});

test('a search that takes too long is ended with a sentence, and its connection serves others', async () => {
  const turns = new Turns(db, 100);
  for (let time = 0; time < 10; time += 1)
    await expect(
      turns.search(newCaller(), (tx) => sql`select pg_sleep(60)`.execute(tx)),
    ).rejects.toMatchObject({
      kind: 'Invalid',
      message: 'This search takes too long. Narrow it, such as by a time or an exact value.',
    });
  const { rows } = await sql<{ value: string }>`select current_setting('statement_timeout') as value`.execute(
    db,
  );
  expect(rows).toEqual([{ value: '30s' }]);
});

test('a search has memory for a set of as many ids as a large project has devices', async () => {
  const answer = await new Turns(db).search(newCaller(), async (tx) => {
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain select n from generate_series(1, 2) n
        where (n::text in (select 'a' || m from generate_series(1, 1000000) m)) is true`.execute(tx);
    return rows.map((row) => row['QUERY PLAN']).join(' ');
  });
  expect(answer).toContain('hashed SubPlan');
});

test('queries with a filter or a search text are searches', async () => {
  await using hub = await freshExecutor();
  const owner = await hub.user('owner@example.org', { isAdmin: true });
  const { projectId } = await hub.as(owner, 'projects_CreateProject', { name: 'Fleet' });
  using statements = recordStatements();
  const timed = () => statements.containing('statement_timeout = 5000').length;
  await hub.as(owner, 'devices_QueryDevices', {});
  await hub.as(owner, 'projects_QueryProjectDevices', { projectId, filter: ' ' });
  await hub.as(owner, 'users_QueryUsers', { search: '' });
  expect(timed()).toBe(0);
  await hub.as(owner, 'projects_QueryProjectDevices', { projectId, filter: 'name:a' });
  await hub.as(owner, 'users_QueryUsers', { search: 'ann' });
  await hub.as(owner, 'audit_QueryAuditLogEvents', { filter: 'ann' });
  expect(timed()).toBe(3);
});
