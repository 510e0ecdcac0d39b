import { ActionError, errorKinds, type Actor } from '@corral/contract';
import { sql, type KyselyPlugin } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { handlers } from '../domains/handlers.ts';
import type { CommittedEvent } from '../platform/events/bus.ts';
import { ownDatabase, type FreshDatabase } from '../../test/fresh-database.ts';
import { anonymous, system } from '../../test/fresh-executor.ts';
import { createExecutor, type Executor, type ExecutorParts } from './executor.ts';
import type { AnyHandler, Handler } from './handler.ts';
import { testStorages } from '../../test/test-storages.ts';
import { testVault } from '../../test/test-vault.ts';

type Run = Handler<'projects_CreateProject'>['run'];

let database: FreshDatabase;
const logged: unknown[] = [];
const measured: string[] = [];
const emittedEvents: CommittedEvent[] = [];

beforeAll(async () => {
  database = await ownDatabase();
  // A constraint that only the commit checks, so that an action can fail at the very end.
  await sql`
    create function refuse_at_commit() returns trigger language plpgsql as $$
      begin raise exception 'refused at commit'; end $$;
    create constraint trigger refused_at_commit after insert on projects deferrable initially deferred
      for each row when (new.name = 'refused at commit') execute function refuse_at_commit()`.execute(
    database.db,
  );
});
afterAll(() => database[Symbol.asyncDispose]());
afterEach(async () => {
  for (const list of [logged, measured, emittedEvents]) list.length = 0;
  await database.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`truncate audit_actions, audit_events, audit_event_entities, event_outbox, projects cascade`.execute(
      tx,
    );
  });
});

function executorWith(more: Partial<ExecutorParts> = {}): Executor {
  return createExecutor({
    handlers,
    db: database.db,
    openingDb: database.db,
    now: () => new Date(),
    vault: testVault,
    storages: testStorages,
    nodeId: () => undefined,
    afterCommit: (committed) => void emittedEvents.push(...committed),
    log: { error: (fields) => void logged.push(fields) },
    measure: (name, outcome) => void measured.push(`${name} ${outcome}`),
    ...more,
  });
}

/** Runs `projects_CreateProject` as the hub with a replaced handler; returns its output or its error. */
function runAs(run: Run, more: Partial<ExecutorParts> = {}): Promise<unknown> {
  const handler: Handler<'projects_CreateProject'> = { authorize: () => undefined, run };
  const executor = executorWith({ handlers: { projects_CreateProject: handler as AnyHandler }, ...more });
  return outcomeOf(executor, 'projects_CreateProject', { name: 'Farm' });
}

function outcomeOf(
  executor: Executor,
  name: string,
  input: unknown,
  actor: Actor = system,
): Promise<unknown> {
  return executor.execute({ actor, origin: {} }, name, input).catch((error: unknown) => error);
}

const projectId = 'a'.repeat(22);

/** A database that refuses all statements. */
const refusal: KyselyPlugin = {
  transformQuery() {
    throw new Error('refused');
  },
  transformResult: async ({ result }) => result,
};

/** Creates a project and emits an event. */
const createProject: Run = async ({ tx, input, now, emit }) => {
  await tx
    .insertInto('projects')
    .values({ project_id: projectId, name: input.name, created_at: now })
    .execute();
  emit('projects_Created', { projectId: `p_${projectId}` });
  return { result: 'Created', projectId: `p_${projectId}` };
};

const statuses = async () =>
  (await database.db.selectFrom('audit_actions').select('status').execute()).map((row) => row.status);

async function countOf(
  table: 'projects' | 'audit_actions' | 'audit_events' | 'event_outbox' | 'users',
): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from ${sql.table(table)}`.execute(
    database.db,
  );
  return rows[0]?.count ?? 0;
}

test('a command acts only once its row is there, and not without it', async () => {
  const seen: string[][] = [];
  const run: Run = async (context, access) => {
    seen.push(await statuses());
    return createProject(context, access);
  };
  const handler: AnyHandler = { authorize: () => undefined, run };
  const call = (openingDb: ExecutorParts['openingDb']) =>
    outcomeOf(
      executorWith({ openingDb, handlers: { projects_CreateProject: handler } }),
      'projects_CreateProject',
      { name: 'Farm' },
    );
  expect(await call(database.db.withPlugin(refusal))).toMatchObject({ kind: 'Internal' });
  expect(seen).toEqual([]);
  expect(await countOf('projects')).toBe(0);
  expect(await call(database.db)).toMatchObject({ result: 'Created' });
  expect(seen).toEqual([['Pending']]);
  expect(await statuses()).toEqual(['Succeeded']);
});

test('an unknown action is refused and not recorded', async () => {
  for (const name of ['users_Nothing', '', '__proto__', 'constructor', 'toString']) {
    const refusal = await outcomeOf(executorWith(), name, {});
    expect(refusal).toMatchObject({ kind: 'UnknownAction', message: 'There is no action of this name.' });
  }
  expect(await countOf('audit_actions')).toBe(0);
});

test('what only the hub itself does is refused to everybody by its name, and not recorded', async () => {
  const name = 'cluster_RegisterClusterNode';
  const refusal = { kind: 'Forbidden', message: 'Only the hub itself may do this.' };
  expect(await outcomeOf(executorWith(), name, {})).toMatchObject(refusal);
  expect(await outcomeOf(executorWith(), name, {}, anonymous)).toMatchObject({ kind: 'NotSignedIn' });
  expect(await countOf('audit_actions')).toBe(0);
});

test('an action called by its newer name is the same in log and metrics', async () => {
  const created = await executorWith().execute({ actor: anonymous, origin: {} }, 'users_Register', {
    email: 'ann@example.com',
    password: 'a long enough password 7',
    consentedToTerms: true,
  });
  expect(created).toMatchObject({ result: 'Created' });
  const rows = await database.db.selectFrom('audit_actions').select('action').execute();
  expect(rows).toEqual([{ action: 'users_RegisterUser' }]);
  expect(measured).toEqual(['users_RegisterUser Ok']);
  await sql`truncate user_registrations, queued_mails`.execute(database.db);
});

test('only calls by a newer name get the error kind RateLimited', async () => {
  const throttle: Handler<'projects_CreateProject'> = {
    authorize() {
      throw new ActionError('Throttled', 'Too many at once.', { retryAfterSecs: 7 });
    },
    run: createProject,
  };
  const executor = executorWith({ handlers: { projects_CreateProject: throttle as AnyHandler } });
  const [old, newer] = await Promise.all(
    ['projects_CreateProject', 'projects_Create'].map((name) => outcomeOf(executor, name, { name: 'Farm' })),
  );
  expect((old as ActionError).toBody()).toEqual({ kind: 'Internal', message: 'Too many at once.' });
  expect((newer as ActionError).toBody()).toEqual({ kind: 'RateLimited', message: 'Too many at once.' });
  for (const refusal of [old, newer] as ActionError[]) {
    expect(refusal.retryAfterSecs).toBe(7);
    expect(errorKinds[refusal.kind].status).toBe(429);
  }
  expect(await statuses()).toEqual(['Rejected', 'Rejected']);
});

test.each([undefined, null, 'text', 7, [], {}, { email: 7 }, { email: ['a@example.com'] }])(
  'the input %j is refused in one sentence and leaves no audit row',
  async (input) => {
    const refusal = await outcomeOf(executorWith(), 'users_CreateUser', input);
    expect(refusal).toMatchObject({ kind: 'Invalid', message: expect.stringMatching(/^The [^.]+\.$/) });
    expect(await countOf('audit_actions')).toBe(0);
    expect(measured).toEqual(['users_CreateUser Invalid']);
  },
);

test('a denied command records a Failed row and changes nothing', async () => {
  const refusal = await outcomeOf(
    executorWith(),
    'users_CreateUser',
    { email: 'ann@example.com' },
    anonymous,
  );
  expect(refusal).toMatchObject({ kind: 'NotSignedIn', message: 'Not logged in.' });
  const rows = await database.db.selectFrom('audit_actions').selectAll().execute();
  expect(rows).toEqual([
    expect.objectContaining({
      action: 'users_CreateUser',
      actor: anonymous,
      data: { email: 'ann@example.com' },
      status: 'Failed',
    }),
  ]);
  expect(await countOf('users')).toBe(0);
  expect(emittedEvents).toEqual([]);
  expect(logged).toEqual([]);
});

test.each([
  ['Throttled', 'Rejected'],
  ['NotReady', 'Rejected'],
  ['Invalid', 'Failed'],
  ['Forbidden', 'Failed'],
] as const)('a command refused as %s is recorded as %s', async (kind, status) => {
  await runAs(() => Promise.reject(new ActionError(kind, 'No.')));
  expect(await statuses()).toEqual([status]);
});

test('a query records no row and emits nothing', async () => {
  await outcomeOf(executorWith(), 'users_QueryUsers', {});
  expect(await countOf('audit_actions')).toBe(0);
  const emitting: Handler<'users_QueryUsers'> = {
    authorize: () => undefined,
    async run({ emit }) {
      emit('users_Created', {});
      return { users: [] };
    },
  };
  const failed = await outcomeOf(
    executorWith({ handlers: { users_QueryUsers: emitting } }),
    'users_QueryUsers',
    {},
  );
  expect(failed).toMatchObject({ kind: 'Internal' });
  expect(emittedEvents).toEqual([]);
});

test('an internal error is answered with a request id only; its details are in the log', async () => {
  const failure = await runAs(async (context) => {
    await createProject(context, undefined);
    throw new TypeError('a detail that nobody should see');
  });
  if (!(failure instanceof ActionError)) throw new Error('no failure');
  const { requestId } = failure;
  expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
  expect(failure.toBody()).toEqual({
    kind: 'Internal',
    message: 'Something went wrong in the hub.',
    requestId,
  });
  expect(JSON.stringify(failure.toBody())).not.toMatch(/detail|at .*\.ts/);
  expect(logged).toEqual([
    {
      requestId,
      action: 'projects_CreateProject',
      err: expect.objectContaining({ message: 'a detail that nobody should see' }),
    },
  ]);
  expect(await statuses()).toEqual(['Panicked']);
  expect(await countOf('projects')).toBe(0);
  expect(emittedEvents).toEqual([]);
});

test('the opening row is written before the action, its success in the transaction of the action', async () => {
  let during: string[] = [];
  await runAs(async (context) => {
    during = await statuses();
    return createProject(context, undefined);
  });
  expect(during).toEqual(['Pending']);
  expect(await statuses()).toEqual(['Succeeded']);
  expect(await countOf('projects')).toBe(1);
});

test('an action that fails at the commit leaves no success, no event and no change', async () => {
  const failure = await runAs((context) =>
    createProject({ ...context, input: { name: 'refused at commit' } }, undefined),
  );
  expect(failure).toMatchObject({ kind: 'Internal' });
  expect(await statuses()).toEqual(['Panicked']);
  for (const table of ['projects', 'audit_events', 'event_outbox'] as const)
    expect(await countOf(table)).toBe(0);
  expect(emittedEvents).toEqual([]);
});

test('a command whose row another node has closed changes nothing and is answered as not ready', async () => {
  const failure = await runAs(async (context) => {
    await sql`update audit_actions set status = 'Panicked'`.execute(database.db);
    return createProject(context, undefined);
  });
  expect(failure).toMatchObject({ kind: 'NotReady', retryAfterSecs: 1 });
  expect(await statuses()).toEqual(['Panicked']);
  for (const table of ['projects', 'audit_events', 'event_outbox'] as const)
    expect(await countOf(table)).toBe(0);
  expect(logged).toEqual([]);
});

test('events are published after the commit, with their outbox rows', async () => {
  let seen: Promise<number> | undefined;
  let isRunning = true;
  const afterCommit = (committed: readonly CommittedEvent[]) => {
    expect(isRunning).toBe(false);
    seen = countOf('projects');
    emittedEvents.push(...committed);
  };
  await runAs(
    async (context) => {
      const answer = await createProject(context, undefined);
      expect(emittedEvents).toEqual([]);
      isRunning = false;
      return answer;
    },
    { afterCommit },
  );
  expect(await seen).toBe(1);
  expect(emittedEvents.map(({ event }) => event)).toEqual([
    {
      name: 'projects_Created',
      data: { projectId: `p_${projectId}` },
      actor: system,
      at: expect.any(String),
    },
  ]);
  const waiting = await database.db.selectFrom('event_outbox').select('event_id').execute();
  expect(waiting.map((row) => row.event_id)).toEqual(emittedEvents.map(({ outboxId }) => outboxId));
  const entities = await database.db.selectFrom('audit_event_entities').selectAll().execute();
  expect(entities).toMatchObject([{ entity_kind: 'project', entity_id: projectId }]);
});

test('a hint is published and not stored', async () => {
  await runAs(async (context) => {
    context.emit('devices_ConnectionChanged', { projectId: `p_${projectId}` });
    return { result: 'Created', projectId: `p_${projectId}` };
  });
  expect(emittedEvents).toEqual([{ event: expect.objectContaining({ name: 'devices_ConnectionChanged' }) }]);
  expect(await countOf('event_outbox')).toBe(0);
  expect(await countOf('audit_events')).toBe(0);
});

/** Creates a project, and conflicts with another transaction a number of times. */
function conflicting(times: number): { run: Run; attempts: () => number } {
  let attempts = 0;
  const run: Run = async (context) => {
    attempts += 1;
    const answer = await createProject(context, undefined);
    if (attempts <= times)
      await sql`do $$ begin raise exception 'in the way' using errcode = '40001'; end $$`.execute(context.tx);
    return answer;
  };
  return { run, attempts: () => attempts };
}

test('a conflict is retried, and counted once', async () => {
  const { run, attempts } = conflicting(2);
  expect(await runAs(run)).toMatchObject({ result: 'Created' });
  expect(attempts()).toBe(3);
  expect(await statuses()).toEqual(['Succeeded']);
  expect(emittedEvents).toHaveLength(1);
  expect(await countOf('event_outbox')).toBe(1);
});

test('a lasting conflict fails after three retries', async () => {
  const { run, attempts } = conflicting(Number.POSITIVE_INFINITY);
  expect(await runAs(run)).toMatchObject({ kind: 'Internal' });
  expect(attempts()).toBe(4);
  expect(await countOf('projects')).toBe(0);
});

test('an unavailable database is answered as not ready', async () => {
  const failure = await runAs(() => Promise.reject(Object.assign(new Error('gone'), { code: '57P01' })));
  expect(failure).toMatchObject({ kind: 'NotReady', retryAfterSecs: 1 });
  expect(String((failure as Error).message)).not.toContain('gone');
});
