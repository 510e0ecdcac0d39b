import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { freshExecutor, system, type FreshExecutor } from '../../../test/fresh-executor.ts';
import { inRolledBackTransaction } from '../../../test/in-rolled-back-transaction.ts';
import { seedProject } from '../../../test/seed.ts';
import { testVault } from '../../../test/test-vault.ts';
import { finishCheck } from './fixtures/finish-check.ts';
import type { Tables } from '../db/tables.ts';
import { existingSigningKey, readSeals } from '../../domains/audit/sql/audit-seals.ts';
import { checkSeals, type AuditCheckProgress } from '../../domains/audit/sql/check-seals.ts';
import { requestAuditLogCheck } from '../../domains/audit/sql/audit-log-checks.ts';
import { pruneAuditLog, sealAuditLog } from '../../domains/audit/jobs/seal-audit-log.ts';
import { RegisterClusterNode } from '../../domains/instance/internal/RegisterClusterNode.ts';
import { ReportClusterNodeHeartbeat } from '../../domains/instance/internal/ReportClusterNodeHeartbeat.ts';

const daySecs = 86_400;
const logged: object[] = [];
const log = { info: (fields: object) => void logged.push(fields) };
let hub: FreshExecutor;
let db: Kysely<Tables>;

/** A seal for each of three days: three years, two years and a half, and one month ago; and one of today. */
beforeAll(async () => {
  hub = await freshExecutor();
  db = hub.database.db;
  for (const ago of [1_095, 912, 31, 0]) {
    hub.advance(-ago * daySecs);
    await seedProject(hub);
    await sealAll();
    hub.advance(ago * daySecs);
  }
});
afterAll(() => hub[Symbol.asyncDispose]());

const parts = ({ executor } = hub) => ({ executor, log });
const sealCount = async () => (await readSeals(db, 0, 100)).length;
const rowIds = async (at = db) =>
  (await at.selectFrom('audit_events').select('event_id').execute()).map((row) => row.event_id);
const check = async (from: Kysely<Tables> = db): Promise<AuditCheckProgress> =>
  checkSeals(from, (await existingSigningKey({ tx: db, vault: testVault }))!, 0, 100);

/** Transactions of other databases of the server make seals wait, too. */
async function sealAll(of = hub): Promise<void> {
  const at = of.database.db;
  const unsealed = async () => {
    await sealAuditLog(parts(of));
    const sealed = (await readSeals(at, 0, 100)).flatMap(({ event_ids }) => event_ids);
    return (await rowIds(at)).filter((id) => !sealed.includes(id));
  };
  await vi.waitFor(async () => expect(await unsealed()).toEqual([]), { timeout: 30_000 });
}

test('nothing goes that another node keeps, also while that one starts again', async () => {
  const before = await readSeals(db, 0, 100);
  const settings = { auditRetentionMonths: 48 };
  const { nodeId } = await hub.run(RegisterClusterNode, { name: 'north', settings });
  await pruneAuditLog(parts(), 24);
  expect(await readSeals(db, 0, 100)).toEqual(before);
  const node = { actor: 'ClusterNode', kind: 'ClusterNode', nodeId } as const;
  await hub.run(ReportClusterNodeHeartbeat, { nodeId, isLeaving: true }, node);
  hub.advance(10);
  await pruneAuditLog(parts(), 24);
  expect(await readSeals(db, 0, 100)).toEqual(before);
  hub.advance(3_600);
});

test('rows beyond the retention go with their seals, and the rest still proves itself', async () => {
  const [before, ids] = [await readSeals(db, 0, 100), await rowIds()];
  const isOld = ({ statement }: { statement: string }) => !statement.includes('"sealedAt":"2026');
  const gone = before.filter(isOld).flatMap(({ event_ids }) => event_ids);
  expect(gone.length).toBeGreaterThan(0);
  logged.length = 0;
  await pruneAuditLog(parts(), 24);
  expect(logged).toHaveLength(1);
  expect(await readSeals(db, 0, 100)).toEqual(before.filter((seal) => !isOld(seal)));
  expect(await rowIds()).toEqual(expect.arrayContaining(ids.filter((id) => !gone.includes(id))));
  expect((await rowIds()).filter((id) => gone.includes(id))).toEqual([]);
  const entities = await db.selectFrom('audit_event_entities').select('event_id').execute();
  expect(entities.filter(({ event_id }) => gone.includes(event_id))).toEqual([]);
  await sealAll();
  // More than one seal follows if a transaction of another database runs meanwhile.
  const [last, newest] = [before, await readSeals(db, 0, 100)].map((seals) => seals.at(-1)!.seal);
  expect(newest).toBeGreaterThan(last!);
  expect(await check()).toMatchObject({ isComplete: true, seal: newest });
  expect((await check()).problem).toBeUndefined();
  const { events } = await hub.as(system, 'audit_QueryAuditLogEvents', {});
  expect(events).toContainEqual(expect.objectContaining({ event: 'audit_RecordCut' }));
});

test('a check says where the log begins', async () => {
  await inRolledBackTransaction(db, async (tx) => {
    await requestAuditLogCheck(tx, hub.now());
    await finishCheck(tx, hub.now());
    const { sentence, is_intact } = await tx.selectFrom('audit_checks').selectAll().executeTakeFirstOrThrow();
    expect(is_intact).toBe(true);
    expect(sentence).toMatch(/ It begins after seal \d+: what is older was removed as configured\.$/);
  });
});

test('nothing more is removed until more is old enough, and the newest seal never is', async () => {
  const count = await sealCount();
  await pruneAuditLog(parts(), 24);
  expect(await sealCount()).toBe(count);
  await expect(sql`select cut_audit_log(max(seal)) from audit_seals`.execute(db)).rejects.toThrow(
    'The audit log cannot be cut there.',
  );
});

test.each([
  [
    'a statement that the key did not sign',
    sql`update audit_cuts set statement = replace(statement, '"cutAt":"2', '"cutAt":"3')`,
    'PruningChanged',
  ],
  ['no statement', sql`delete from audit_cuts`, 'SealMissing'],
  [
    'the first seal that is left missing',
    sql`delete from audit_seals where seal = (select min(seal) from audit_seals)`,
    'SealMissing',
  ],
])('%s is noticed', async (_what, change, what) => {
  await inRolledBackTransaction(db, async (tx) => {
    for (const table of ['audit_cuts', 'audit_seals'])
      await sql`alter table ${sql.table(table)} disable trigger append_only`.execute(tx);
    await change.execute(tx);
    expect((await check(tx)).problem).toMatchObject({ what });
  });
});

test('nobody can remove what was sealed in the last 30 days, or the statement of a removal', async () => {
  const recent = sql`select cut_audit_log((select min(seal) from audit_seals))`;
  await inRolledBackTransaction(db, async (tx) => {
    await expect(recent.execute(tx)).rejects.toThrow('The audit log cannot be cut there.');
  });
  await expect(sql`delete from audit_cuts`.execute(db)).rejects.toThrow(
    'Rows of the audit log cannot be changed or deleted.',
  );
});

test.each([
  {
    what: 'a month ago was 28 days ago',
    now: '2025-03-15',
    months: 1,
    gone: '2025-02-10',
    kept: '2025-02-14',
  },
  { what: 'the month has no such day', now: '2025-05-31', months: 3, gone: '2025-02-27', kept: '2025-03-02' },
])('also where $what, nothing goes too early', async ({ now, months, gone, kept }) => {
  await using own = await freshExecutor();
  for (const day of [gone, kept, now]) {
    own.advance((Date.parse(`${day}T12:00:00Z`) - own.now().getTime()) / 1000);
    await seedProject(own);
    await sealAll(own);
  }
  await pruneAuditLog(parts(own), months);
  const [oldest] = await readSeals(own.database.db, 0, 1);
  expect(JSON.parse(oldest!.statement)).toMatchObject({ sealedAt: expect.stringContaining(kept) });
});
