import type { DomainEvent } from '@corral/contract';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freshDatabase, type FreshDatabase } from '../../test/fresh-database.ts';
import { newDatedRawId } from '../auth/random.ts';
import { createInProcessBus, type CommittedEvent } from './bus.ts';
import { createOutbox } from './outbox.ts';

let database: FreshDatabase;
let received: string[];
let problems: unknown[];

beforeEach(async () => {
  database = await freshDatabase();
  received = [];
  problems = [];
});
afterEach(() => database[Symbol.asyncDispose]());

function newOutbox() {
  const bus = createInProcessBus((error) => problems.push(error));
  const outbox = createOutbox({ db: database.db, bus, log: { error: (fields) => problems.push(fields) } });
  return { bus, outbox };
}

/** An event of a committed action, with its row in the outbox. */
async function committed(projectId: string): Promise<CommittedEvent> {
  const at = new Date();
  const event: DomainEvent = {
    name: 'projects_Created',
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
  await outbox.recover();
  expect(received).toEqual(['left behind']);
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
