import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { DomainEvent } from '@corral/contract';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { freshDatabase, type FreshDatabase } from '../../../test/fresh-database.ts';
import { newDatedRawId } from '../../auth/random.ts';
import { createInProcessBus, type CommittedEvent } from './bus.ts';
import { decodeHint, encodeHints, hintOf, maxHintBytes } from './hints.ts';
import { createOutbox, type Outbox } from './outbox.ts';

let database: FreshDatabase;
let received: string[];
let problems: unknown[];

let nodes: Outbox[];

beforeAll(async () => void (database = await freshDatabase()));
afterAll(() => database[Symbol.asyncDispose]());
beforeEach(() => {
  received = [];
  problems = [];
  nodes = [];
});
afterEach(async () => {
  for (const outbox of nodes) await outbox.stop();
  await database.db.deleteFrom('event_outbox').execute();
});

/** The bus and the outbox of a node on the database. */
function newOutbox(
  settings: { sweepEveryMs?: number; unpublishedAfterMs?: number; maxWaiting?: number } = {},
) {
  const bus = createInProcessBus((error) => problems.push(error));
  const log = { error: (fields: object) => problems.push(fields) };
  const outbox = createOutbox({ db: database.db, bus, log, ...settings });
  nodes.push(outbox);
  return { bus, outbox };
}

/** An event of a committed action, with its row in the outbox; the name may be one of a newer release. */
async function committed(projectId: string, name: string = 'projects_Created'): Promise<CommittedEvent> {
  const at = new Date();
  const event: DomainEvent = {
    name: name as DomainEvent['name'],
    data: { projectId },
    actor: { actor: 'System', kind: 'System' },
    at: at.toISOString(),
  };
  const outboxId = newDatedRawId(at);
  const row = { event_id: outboxId, event: JSON.stringify(event), created_at: at };
  await database.db.insertInto('event_outbox').values(row).execute();
  return { event, outboxId };
}

const waiting = async () =>
  (await database.db.selectFrom('event_outbox').select('event_id').execute()).length;
const receive = (event: DomainEvent) => void received.push(String(event.data['projectId']));

test('events reach listeners in commit order, and their rows are deleted', async () => {
  const { bus, outbox } = newOutbox();
  bus.subscribe(receive);
  for (const name of ['a', 'b', 'c']) outbox.afterCommit([await committed(name)]);
  await outbox.drain();
  expect(received).toEqual(['a', 'b', 'c']);
  expect(await waiting()).toBe(0);
});

test('events that a killed process did not publish are published by the next', async () => {
  await committed('left behind');
  const { bus, outbox } = newOutbox();
  bus.subscribe(receive);
  await outbox.start();
  expect(received).toEqual(['left behind']);
  expect(await waiting()).toBe(0);
});

test('events that only a newer release knows are left to its nodes, and hold up no others', async () => {
  await committed('newer', 'projects_Painted');
  await committed('left behind');
  const { bus, outbox } = newOutbox();
  bus.subscribe(receive);
  await outbox.start();
  expect(received).toEqual(['left behind']);
  expect(await waiting()).toBe(1);
});

test('events beyond the bound of memory wait in the table, are said once, and are published by the next sweep', async () => {
  const { bus, outbox } = newOutbox({ sweepEveryMs: 3_600_000, unpublishedAfterMs: 0, maxWaiting: 2 });
  await outbox.start();
  bus.subscribe(receive);
  const hint = { ...(await committed('hint')), outboxId: undefined };
  await database.db.deleteFrom('event_outbox').execute();
  const events = [await committed('a'), await committed('b'), await committed('c')];
  outbox.afterCommit([...events, hint]);
  await outbox.drain();
  expect(received).toEqual(['a', 'b']);
  expect(await waiting()).toBe(1);
  expect(problems).toEqual([{ maxWaiting: 2 }]);
  await outbox.sweep();
  expect(received).toEqual(['a', 'b', 'c']);
  expect(await waiting()).toBe(0);
});

test('a failing listener is reported and does not affect the others', async () => {
  const { bus, outbox } = newOutbox();
  bus.subscribe(() => Promise.reject(new Error('broken listener')));
  bus.subscribe(receive);
  outbox.afterCommit([await committed('a')]);
  await outbox.drain();
  expect(received).toEqual(['a']);
  expect(problems).toMatchObject([{ message: 'broken listener' }]);
});

test('rows that could not be deleted are deleted with the next batch', async () => {
  const { outbox } = newOutbox();
  const first = await committed('a');
  await database.db.schema.alterTable('event_outbox').renameTo('event_outbox_away').execute();
  outbox.afterCommit([first]);
  await outbox.drain();
  expect(problems).toHaveLength(1);
  await database.db.schema.alterTable('event_outbox_away').renameTo('event_outbox').execute();
  outbox.afterCommit([await committed('b')]);
  await outbox.drain();
  expect(await waiting()).toBe(0);
});

test('an unsubscribed listener gets no events', async () => {
  const { bus, outbox } = newOutbox();
  const stop = bus.subscribe(receive);
  stop();
  outbox.afterCommit([await committed('a')]);
  await outbox.drain();
  expect(received).toEqual([]);
});

describe('an event that a node leaves unpublished', () => {
  /** Rows of another node that were committed so many seconds ago, a millisecond after each other. */
  const leave = (names: readonly string[], secondsAgo = 60) =>
    sql`
      insert into event_outbox (event_id, event, created_at)
        select 'left-' || n, jsonb_build_object('name', 'projects_Created', 'data', jsonb_build_object('projectId', n), 'actor', '{}'::jsonb, 'at', clock_timestamp()),
          clock_timestamp() - ${secondsAgo} * interval '1 s' + i * interval '1 ms'
        from unnest(${names}::text[]) with ordinality as t(n, i)`.execute(database.db);
  const many = (count: number) => Array.from({ length: count }, (_, index) => String(index).padStart(6, '0'));

  test('after a kill between commit and publication is published by another node', async () => {
    const { bus, outbox } = newOutbox({ sweepEveryMs: 50, unpublishedAfterMs: 100 });
    const events: DomainEvent[] = [];
    bus.subscribe((event) => void events.push(event));
    await outbox.start();
    const program = fileURLToPath(new URL('../../../test/die-after-commit.ts', import.meta.url));
    const env = { ...process.env, TEST_DATABASE: JSON.stringify(database.address) };
    const dying = spawn(process.execPath, [program], { env, stdio: ['ignore', 'ignore', 'inherit'] });
    await once(dying, 'close');
    expect(dying.signalCode).toBe('SIGKILL');
    await expect.poll(() => events.map(({ name }) => name)).toEqual(['users_Created']);
    const [message] = encodeHints([hintOf(events[0]!).json], maxHintBytes);
    expect(decodeHint(message!)).toMatchObject({ events: [{ name: 'users_Created', at: events[0]!.at }] });
    expect(events[0]!.at).toMatch(/^\d{4}-\d\d-\d\dT[\d:]+\.\d{3}Z$/);
    await expect.poll(waiting).toBe(0);
    expect(await database.db.selectFrom('users').select('email').execute()).toEqual([
      { email: 'left@example.org' },
    ]);
  });

  test('goes to one of the nodes that sweep, the oldest first', async () => {
    const names = many(1_000);
    await leave(names);
    const lists = await Promise.all(
      [newOutbox(), newOutbox()].map(async ({ bus, outbox }) => {
        const list: string[] = [];
        bus.subscribe((event) => void list.push(String(event.data['projectId'])));
        await outbox.sweep();
        return list;
      }),
    );
    expect(lists.flat().toSorted()).toEqual(names);
    for (const list of lists) expect(list).toEqual(list.toSorted());
    expect(await waiting()).toBe(0);
  });

  test('is not taken while a running node is about to publish it', async () => {
    const { bus, outbox } = newOutbox({ unpublishedAfterMs: 60_000 });
    bus.subscribe(receive);
    await outbox.start();
    await committed('of another node');
    await outbox.sweep();
    expect([received, await waiting()]).toEqual([[], 1]);
  });

  test('is not taken by its own node, which publishes it later', async () => {
    const { bus, outbox } = newOutbox({ unpublishedAfterMs: 0 });
    await outbox.start();
    const release = Promise.withResolvers<void>();
    bus.subscribe(async (event) => {
      receive(event);
      await release.promise;
    });
    outbox.afterCommit([await committed('slow')]);
    await expect.poll(() => received).toEqual(['slow']);
    await outbox.sweep();
    release.resolve();
    await outbox.drain();
    expect([received, await waiting()]).toEqual([['slow'], 0]);
  });

  test('goes to the next node when the one that took it dies', async () => {
    await leave(['a']);
    const first = newOutbox();
    const taken = Promise.withResolvers<void>();
    const { promise: never, resolve } = Promise.withResolvers<void>();
    first.bus.subscribe(() => {
      taken.resolve();
      return never;
    });
    const looking = first.outbox.sweep();
    await taken.promise;
    const second = newOutbox();
    second.bus.subscribe(receive);
    await second.outbox.sweep();
    expect(received).toEqual([]);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`.execute(
      database.db,
    );
    await expect.poll(async () => (await second.outbox.sweep(), received)).toEqual(['a']);
    resolve();
    await looking;
    expect(problems).toHaveLength(1);
  });

  test('is found again from the beginning of the table, whatever was found before', async () => {
    const { bus, outbox } = newOutbox({ unpublishedAfterMs: 0 });
    bus.subscribe(receive);
    await outbox.start();
    await leave(['of a long transaction'], 50);
    await outbox.sweep();
    expect(received).toEqual(['of a long transaction']);
    await leave(['of a longer one'], 3_600);
    for (let sweeps = 0; sweeps < 300; sweeps += 1) await outbox.sweep();
    expect(received).toEqual(['of a long transaction', 'of a longer one']);
  });
});
