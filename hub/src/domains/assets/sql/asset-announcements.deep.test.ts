import { ids } from '@corral/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshExecutor, type FreshExecutor } from '../../../../test/fresh-executor.ts';
import { mostRowsOf } from '../../../../test/plan-rows.ts';
import { recordStatements } from '../../../../test/recorded-statements.ts';
import { seedRepository } from '../../../../test/seed-repository.ts';
import { newRawId } from '../../../auth/random.ts';
import { expectedUploads } from './asset-announcements.ts';
import { findStuckDeletions, leaseMarked } from './asset-collection.ts';

const many = 20_000;
let hub: FreshExecutor;
beforeAll(async () => {
  hub = await freshExecutor();
  const repositoryId = ids.repository.raw((await seedRepository(hub)).repositoryId);
  const { db } = hub.database;
  const now = hub.now();
  // Assets that wait for their bytes since long ago, and newer ones that are being deleted.
  await sql`
    insert into assets (asset_id, repository_id, digest, size, status, storage_key, created_at, touched_at)
    select rpad('a' || i, 22, 'y'), ${repositoryId}, sha256(i::text::bytea), 1,
      case when i <= ${sql.lit(many)} then 'Dangling' else 'Deleting' end, 'k' || i, at, at
    from generate_series(1, ${sql.lit(2 * many)}) i,
      lateral (select ${now}::timestamptz - case when i <= ${sql.lit(many)} then interval '1 day' else interval '1 second' end) as t(at)`.execute(
    db,
  );
  await sql`analyze assets`.execute(db);
}, 120_000);
afterAll(() => hub[Symbol.asyncDispose]());

test('neither of two questions reads the assets that the other is about: which bytes are to come, and what is to be deleted', async () => {
  const { db } = hub.database;
  const now = hub.now();
  const begun = ['a7'.padEnd(22, 'y'), 'a70'.padEnd(22, 'y'), 'of another folder'];
  const except = { assetIds: [`a${many + 1}`.padEnd(22, 'y')], storeIds: [] };
  using recorded = recordStatements();
  const expected = await expectedUploads(db, begun, now);
  expect(expected.map(({ asset_id }) => asset_id).toSorted()).toEqual(begun.slice(0, 2).toSorted());
  expect(await leaseMarked(db, except, { leaseId: newRawId(), now })).toBeDefined();
  expect(await findStuckDeletions(db, now)).toMatchObject({ count: many });
  const statements = [
    ...recorded.containing('order by created_at desc'),
    ...recorded.containing('order by a.touched_at'),
  ];
  expect(statements).toHaveLength(2);
  for (const statement of statements)
    expect(await mostRowsOf(db, statement), statement.text).toBeLessThan(2000);
});
