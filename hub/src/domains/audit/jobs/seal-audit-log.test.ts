import { randomInt } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { freshExecutor, system, type FreshExecutor } from '../../../../test/fresh-executor.ts';
import { inRolledBackTransaction } from '../../../../test/in-rolled-back-transaction.ts';
import { seedDevice, seedProject, seedUser } from '../../../../test/seed.ts';
import { testVault } from '../../../../test/test-vault.ts';
import { finishCheck } from '../../../platform/jobs/fixtures/finish-check.ts';
import { parseStatement } from '../../../auth/seal-statement.ts';
import type { Tables } from '../../../platform/db/tables.ts';
import { existingSigningKey, readSeals, sealNextRows } from '../sql/audit-seals.ts';
import { checkSeals, type AuditCheckProgress } from '../sql/check-seals.ts';
import { checkAuditLog } from './check-audit-log.ts';
import { sealAuditLog } from './seal-audit-log.ts';
import { ContinueLogCheck } from '../internal/ContinueLogCheck.ts';

const { recordChanges } = inject('figures');
/** More than one seal takes. */
const bulkRows = 1200;
const logged: object[] = [];
const log = { info: (fields: object) => void logged.push(fields) };
let hub: FreshExecutor;
let db: Kysely<Tables>;
beforeAll(async () => {
  hub = await freshExecutor();
  db = hub.database.db;
});
afterAll(() => hub[Symbol.asyncDispose]());

const seal = () => sealAuditLog({ executor: hub.executor, log });
const sealedRows = async () =>
  (await readSeals(db, 0, 1000))
    .flatMap(({ action_ids, event_ids }) => [...action_ids, ...event_ids])
    .toSorted();
/** Transactions of other databases of the server make seals wait, too. */
async function sealAll(): Promise<void> {
  const sealed = async () => {
    await seal();
    return sealedRows();
  };
  await expect.poll(sealed, { timeout: 120_000 }).toEqual((await rowsOf()).toSorted());
}
const check = async (from: Kysely<Tables> = db): Promise<AuditCheckProgress> =>
  checkSeals(from, (await existingSigningKey({ tx: db, vault: testVault }))!, 0, 1000);
const rowsOf = async () => {
  const actions = await db.selectFrom('audit_actions').select('action_id').execute();
  const events = await db.selectFrom('audit_events').select('event_id').execute();
  return [...actions.map(({ action_id }) => action_id), ...events.map(({ event_id }) => event_id)];
};

/** Adds rows as commands write them, in many transactions' worth of time. */
async function addRows(label: string, count: number): Promise<void> {
  await sql`insert into audit_actions (action_id, actor, action, data, status, created_at)
    select ${label} || n, '{}', 'a', jsonb_build_object('n', n), 'Pending', now() from generate_series(1, ${count}::int) n`.execute(
    db,
  );
  await sql`update audit_actions set status = 'Succeeded' where status = 'Pending'`.execute(db);
  await sql`with e as (insert into audit_events (event_id, actor, event, data, created_at)
      select ${label} || n, '{}', 'e', jsonb_build_object('n', n), now() from generate_series(1, ${count}::int) n returning *)
    insert into audit_event_entities (entity_kind, entity_id, created_at, event_id)
      select 'project', 'plant', created_at, event_id from e`.execute(db);
}

test('all rows that are final are sealed, once, and each seal is logged', async () => {
  await seedDevice(hub, await seedProject(hub));
  await addRows('bulk', bulkRows);
  await sealAll();
  await seal();
  const seals = await readSeals(db, 0, 100);
  expect(seals.length).toBeGreaterThan(1);
  expect(logged).toEqual(
    seals.map(({ statement, signature }) => ({ statement, signature: signature.toString('base64') })),
  );
  expect(await check()).toEqual({ seal: seals.length, rows: (await rowsOf()).length, isComplete: true });
  await seedProject(hub);
  await sealAll();
  // Its rows are in several seals if a transaction of another database runs meanwhile.
  const { length } = await readSeals(db, 0, 100);
  expect(length).toBeGreaterThan(seals.length);
  expect(await check()).toEqual({ seal: length, rows: (await rowsOf()).length, isComplete: true });
});

test('rows cannot be changed or deleted, and a command ends once', async () => {
  const refused = 'Rows of the audit log cannot be changed or deleted.';
  for (const statement of [
    "update audit_actions set data = '{}'",
    "update audit_actions set status = 'Failed'",
    "update audit_actions set position = 1 where status = 'Pending'",
    'delete from audit_actions',
    "update audit_events set data = '{}'",
    'delete from audit_events',
    'truncate audit_events',
    'truncate audit_actions',
    'delete from audit_event_entities',
    "update audit_seals set statement = ''",
    'delete from audit_seals',
    'truncate audit_seals',
  ])
    await expect(sql.raw(statement).execute(db), statement).rejects.toThrow(refused);
});

test('a transaction that commits late gets into a later seal, with all rows behind it', async () => {
  await sealAll();
  const late = await db.startTransaction().execute();
  const addEvent = (to: Kysely<Tables>, id: string) =>
    sql`insert into audit_events (event_id, actor, event, data, created_at) values (${id}, '{}', 'e', '{}', now())`.execute(
      to,
    );
  await addEvent(late, 'late');
  await addEvent(db, 'early');
  const before = (await readSeals(db, 0, 100)).length;
  await seal();
  expect(await readSeals(db, before, 100)).toEqual([]);
  await late.commit().execute();
  await sealAll();
  const sealed = await readSeals(db, before, 100);
  expect(sealed.flatMap(({ event_ids }) => event_ids)).toEqual(['late', 'early']);
  expect((await check()).problem).toBeUndefined();
});

test('a sealer that is killed before it stores its seal leaves nothing behind', async () => {
  await addRows('killed', 3);
  const before = await readSeals(db, 0, 100);
  const sealAndDie = () =>
    db.transaction().execute(async (tx) => {
      const { signed } = await sealNextRows({ tx, now: hub.now(), vault: testVault });
      if (signed === undefined) return;
      expect(parseStatement(signed).seal).toBe(before.length + 1);
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx);
    });
  const outcome = () => sealAndDie().catch(() => 'killed');
  await expect.poll(outcome, { timeout: 120_000 }).toBe('killed');
  expect(await readSeals(db, 0, 100)).toEqual(before);
  await sealAll();
  expect((await check()).problem).toBeUndefined();
});

test('nodes that seal at once make one chain', async () => {
  for (let round = 0; round < 5; round += 1) {
    await addRows(`nodes${round}-`, 2);
    await Promise.all([seal(), seal(), seal()]);
  }
  await sealAll();
  expect((await check()).problem).toBeUndefined();
});

const changes: readonly [expected: string, (id: string) => string][] = [
  ['Edited actions', (id) => `update audit_actions set data = '{"n": 0.5}' where action_id = '${id}'`],
  ['Edited actions', (id) => `update audit_actions set status = 'Failed' where action_id = '${id}'`],
  [
    'Edited events',
    (id) => `update audit_events set created_at = created_at - interval '1 us' where event_id = '${id}'`,
  ],
  ['Edited events', (id) => `delete from audit_event_entities where event_id = '${id}'`],
  ['Deleted actions', (id) => `delete from audit_actions where action_id = '${id}'`],
  ['Deleted actions', (id) => `update audit_actions set status = 'Pending' where action_id = '${id}'`],
  ['Deleted events', (id) => `delete from audit_events where event_id = '${id}'`],
  [
    'Inserted events',
    (id) =>
      `insert into audit_events select '${id}+', actor, event, data, action_id, job_id, created_at, position from audit_events where event_id = '${id}'`,
  ],
  [
    'Inserted actions',
    (id) =>
      `insert into audit_actions select '${id}+', actor, action, data, status, node_id, created_at, position from audit_actions where action_id = '${id}'`,
  ],
];

test(`${recordChanges} random edits, deletions and insertions are found and named`, async () => {
  for (let count = 0; count < recordChanges; count += 1) {
    const [expected, change] = changes[randomInt(changes.length)]!;
    const id = `bulk${1 + randomInt(bulkRows)}`;
    const { problem } = await changed(change(id));
    const named = expected.startsWith('Inserted') ? `${id}+` : id;
    expect([`${problem?.what} ${problem?.list}`, problem?.id]).toEqual([expected, named]);
  }
}, 600_000);

test('a seal that is edited, deleted or forged is found', async () => {
  const changeSeal = 'update audit_seals set';
  for (const [expected, statement] of [
    ['SealChanged', `${changeSeal} statement = replace(statement, '"events":', '"events": ') where seal = 1`],
    [
      'SealChanged',
      `${changeSeal} signature = (select signature from audit_seals where seal = 1) where seal = 2`,
    ],
    ['SealMissing', 'delete from audit_seals where seal = 2'],
    ['SealMissing', 'delete from audit_seals where seal = 1'],
    ['Edited', `${changeSeal} leaves = set_byte(leaves, 40, 255 - get_byte(leaves, 40)) where seal = 1`],
  ] as const)
    expect((await changed(statement)).problem?.what, statement).toBe(expected);
});

/** The verdict on the audit log after a change by someone who may switch triggers off. */
function changed(statement: string): Promise<AuditCheckProgress> {
  return inRolledBackTransaction(db, async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql.raw(statement).execute(tx);
    return check(tx);
  });
}

test('administrators start a check, which a job finishes, and see its result', async () => {
  const administrator = await seedUser(hub, 'admin@example.org', true);
  const member = await seedUser(hub, 'member@example.org');
  for (const name of ['audit_VerifyLog', 'audit_GetSealState'] as const)
    expect((await hub.refusal(member, name, {})).kind).toBe('Forbidden');
  await sealAll();
  // More than one portion of a check covers.
  for (let count = (await readSeals(db, 0, 1000)).length; count <= 8; count += 1) {
    await seedProject(hub);
    await sealAll();
  }
  await hub.as(administrator, 'audit_VerifyLog', {});
  const running = await hub.as(administrator, 'audit_GetSealState', {});
  const seals = (await readSeals(db, 0, 1000)).length;
  expect(running).toMatchObject({ seals, check: { seals, checkedSeals: 0, checkedRows: 0 } });
  await hub.run(ContinueLogCheck);
  // A second request joins the running check.
  await hub.as(administrator, 'audit_VerifyLog', {});
  const { check: begun } = await hub.as(administrator, 'audit_GetSealState', {});
  expect(begun?.checkedSeals).toBeGreaterThan(0);
  await checkAuditLog(hub.executor);
  const { check: done, publicKey } = await hub.as(administrator, 'audit_GetSealState', {});
  expect(done).toMatchObject({ isIntact: true, checkedSeals: seals, requestedAt: begun?.requestedAt });
  expect(done?.sentence).toContain(`${done?.checkedRows} rows in ${seals} seals`);
  expect(done?.sentence).toContain(publicKey);
});

test('a check that finds a change names the row', async () => {
  await hub.as(system, 'audit_VerifyLog', {});
  // Which seal has the row depends on the transactions of other databases.
  const seals = await readSeals(db, 0, 1000);
  const seal = 1 + seals.findIndex(({ event_ids }) => event_ids.includes('bulk7'));
  await inRolledBackTransaction(db, async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`delete from audit_events where event_id = 'bulk7'`.execute(tx);
    await finishCheck(tx, hub.now());
    const row = await tx.selectFrom('audit_checks').selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({ is_intact: false, checked_seals: seal - 1 });
    expect(row.sentence).toBe(
      `The audit log was tampered with: the event audit_ev_bulk7 was deleted, according to seal ${seal}. Rows after it were not checked.`,
    );
  });
});
