import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDatabase, type FreshDatabase } from '../../test/fresh-database.ts';
import { testStorages } from '../../test/test-storages.ts';
import { testVault } from '../../test/test-vault.ts';
import type { Database } from '../platform/db/connect.ts';
import { createExecutor, type Executor } from './executor.ts';
import { type Internal, systemCaller, type AnyHandler, type Handler } from './handler.ts';

let database: FreshDatabase;
beforeAll(async () => void (database = await freshDatabase()));
afterAll(() => database[Symbol.asyncDispose]());

type CreateProject = Handler<'projects_CreateProject'>;
const handler = { authorize: () => undefined, isOneStatement: () => true };

function executorWith(handlers: Readonly<Record<string, AnyHandler>> = {}): Executor {
  return createExecutor({
    handlers,
    db: database.db,
    openingDb: database.db,
    now: () => new Date(),
    vault: testVault,
    storages: testStorages,
    nodeId: () => undefined,
    afterCommit: () => undefined,
    log: { error: () => undefined },
  });
}

/** Runs the work as a function of one statement; returns the error, if any. */
function runWork(run: Internal<void, void>['run']): Promise<unknown> {
  const call = executorWith().run(systemCaller, { name: 'devices_Work', isOneStatement: () => true, run });
  return call.catch((error: unknown) => error);
}

/** The start time of the transaction of a statement; the same for all statements of one transaction. */
async function beganAt(tx: Database): Promise<string | undefined> {
  const { rows } = await sql<{ at: string }>`select now()::text as at`.execute(tx);
  return rows[0]?.at;
}

async function countOutbox(): Promise<number> {
  return (await database.db.selectFrom('event_outbox').select('event_id').execute()).length;
}

test('a command of one statement runs without a transaction', async () => {
  const began: unknown[] = [];
  const problem = await runWork(async ({ tx }) => {
    began.push(await beganAt(tx), await beganAt(tx));
  });
  expect(problem).toBeUndefined();
  expect(new Set(began).size).toBe(2);
});

test('a recorded command has a transaction for its row and events', async () => {
  const began: unknown[] = [];
  const run: CreateProject['run'] = async ({ tx, emit }) => {
    began.push(await beganAt(tx), await beganAt(tx));
    emit('projects_Created', { projectId: `p_${'a'.repeat(22)}` });
    return { result: 'Created', projectId: `p_${'a'.repeat(22)}` };
  };
  const executor = executorWith({ projects_CreateProject: { ...handler, run } });
  await executor.invoke(systemCaller, 'projects_CreateProject', { name: 'Farm' });
  expect(new Set(began).size).toBe(1);
  expect(await countOutbox()).toBe(1);
});

test('a logged event without a transaction is refused', async () => {
  const before = await countOutbox();
  const problem = await runWork(async ({ emit }) => {
    emit('projects_Created', { projectId: `p_${'b'.repeat(22)}` });
  });
  expect(problem).toMatchObject({ kind: 'Internal' });
  expect(await countOutbox()).toBe(before);
});
