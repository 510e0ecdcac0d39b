import { ActionError } from '@corral/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshExecutor, type FreshExecutor, system } from '../../test/fresh-executor.ts';
import { testStorages } from '../../test/test-storages.ts';
import { testVault } from '../../test/test-vault.ts';
import { createExecutor } from './executor.ts';
import { Refusal } from './failures.ts';
import type { AnyHandler, Handler } from './handler.ts';

let hub: FreshExecutor;
beforeAll(async () => void (hub = await freshExecutor()));
afterAll(() => hub[Symbol.asyncDispose]());

const error = new ActionError('Forbidden', 'Not you.');

/** Writes a project and an event, and ends with the given outcome. */
const handlerThat = (end: () => Refusal): Handler<'projects_CreateProject'> => ({
  authorize: () => undefined,
  async run({ tx, input, now, emit }) {
    await tx
      .insertInto('projects')
      .values({ project_id: input.name, name: input.name, created_at: now })
      .execute();
    emit('projects_Created', { projectId: `p_${input.name}` });
    return end();
  },
});

const executorOf = (handler: AnyHandler, emittedEvents: string[]) =>
  createExecutor({
    handlers: { projects_CreateProject: handler },
    db: hub.database.db,
    openingDb: hub.database.db,
    now: hub.now,
    vault: testVault,
    storages: testStorages,
    nodeId: () => undefined,
    afterCommit: (committed) => void emittedEvents.push(...committed.map(({ event }) => event.name)),
    log: { error: () => undefined },
  });

async function outcomeOf(name: string, end: () => Refusal) {
  const emittedEvents: string[] = [];
  const executor = executorOf(handlerThat(end), emittedEvents);
  const call = executor.invoke({ actor: system, origin: {} }, 'projects_CreateProject', { name });
  const thrown = await call.catch((reason: unknown) => reason);
  const { db } = hub.database;
  const kept = await db.selectFrom('projects').selectAll().where('project_id', '=', name).execute();
  const rows = await db.selectFrom('audit_actions').select(['status', 'data']).execute();
  const audited = rows.filter(({ data }) => data['name'] === name).map(({ status }) => status);
  return { thrown, kept: kept.length, audited, emittedEvents };
}

test('a refusal keeps the changes and the events, and is returned and audited as a failure', async () => {
  expect(await outcomeOf('kept', () => new Refusal(error))).toEqual({
    thrown: error,
    kept: 1,
    audited: ['Failed'],
    emittedEvents: ['projects_Created'],
  });
});

test('a thrown error keeps nothing', async () => {
  const end = () => {
    throw error;
  };
  expect(await outcomeOf('undone', end)).toEqual({
    thrown: error,
    kept: 0,
    audited: ['Failed'],
    emittedEvents: [],
  });
});
