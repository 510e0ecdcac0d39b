import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDatabase, type FreshDatabase } from '../../test/fresh-database.ts';
import { system } from '../../test/fresh-executor.ts';
import { testStorages } from '../../test/test-storages.ts';
import { testVault } from '../../test/test-vault.ts';
import type { Database } from '../platform/db/connect.ts';
import { createExecutor } from './executor.ts';
import type { AnyHandler, Handler } from './handler.ts';

let database: FreshDatabase;
beforeAll(async () => void (database = await freshDatabase()));
afterAll(() => database[Symbol.asyncDispose]());

type Name = 'devices_UnregisterDeviceConnection' | 'projects_CreateProject';

const inputs = {
  devices_UnregisterDeviceConnection: { connectionId: `d_conn_${'a'.repeat(22)}` },
  projects_CreateProject: { name: 'Farm' },
} as const;

/** Runs the work as an action of one statement; returns the error, if any. */
async function runAs<Action extends Name>(name: Action, run: Handler<Action>['run']): Promise<unknown> {
  const handler: Handler<Action> = { authorize: () => undefined, isOneStatement: () => true, run };
  const executor = createExecutor({
    handlers: { [name]: handler as AnyHandler },
    db: database.db,
    openingDb: database.db,
    now: () => new Date(),
    vault: testVault,
    storages: testStorages,
    nodeId: () => undefined,
    afterCommit: () => undefined,
    log: { error: () => undefined },
  });
  const call = executor.execute({ actor: system, origin: {} }, name, inputs[name]);
  return call.then(
    () => undefined,
    (error: unknown) => error,
  );
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
  const problem = await runAs('devices_UnregisterDeviceConnection', async ({ tx }) => {
    began.push(await beganAt(tx), await beganAt(tx));
    return {};
  });
  expect(problem).toBeUndefined();
  expect(new Set(began).size).toBe(2);
});

test('a recorded command has a transaction for its row and events', async () => {
  const began: unknown[] = [];
  await runAs('projects_CreateProject', async ({ tx, emit }) => {
    began.push(await beganAt(tx), await beganAt(tx));
    emit('projects_Created', { projectId: `p_${'a'.repeat(22)}` });
    return { result: 'Created', projectId: `p_${'a'.repeat(22)}` };
  });
  expect(new Set(began).size).toBe(1);
  expect(await countOutbox()).toBe(1);
});

test('a logged event without a transaction is refused', async () => {
  const before = await countOutbox();
  const problem = await runAs('devices_UnregisterDeviceConnection', async ({ emit }) => {
    emit('projects_Created', { projectId: `p_${'b'.repeat(22)}` });
    return {};
  });
  expect(problem).toMatchObject({ kind: 'Internal' });
  expect(await countOutbox()).toBe(before);
});
