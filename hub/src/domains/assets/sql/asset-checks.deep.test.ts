import { ids } from '@corral/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshExecutor, type FreshExecutor } from '../../../../test/fresh-executor.ts';
import { mostRowsOf } from '../../../../test/plan-rows.ts';
import { recordStatements } from '../../../../test/recorded-statements.ts';
import { seedRepository } from '../../../../test/seed-repository.ts';
import { countDamagedAssets, findDamagedAssets } from './asset-checks.ts';

const many = 100_000;
let hub: FreshExecutor;
beforeAll(async () => {
  hub = await freshExecutor();
  const repositoryId = ids.repository.raw((await seedRepository(hub)).repositoryId);
  const { db } = hub.database;
  await sql`
    insert into assets (asset_id, repository_id, digest, size, status, storage_key, storage_status, created_at, touched_at)
    select rpad('a' || i, 22, 'y'), ${repositoryId}, sha256(i::text::bytea), 1, 'Available', 'k' || i,
      case i when 7 then 'Missing' when 70 then 'Mismatched' when 700 then 'Mismatched' when 7000 then 'Error' else 'Verified' end, now(), now()
    from generate_series(1, ${sql.lit(many)}) i`.execute(db);
  await sql`analyze assets`.execute(db);
}, 120_000);
afterAll(() => hub[Symbol.asyncDispose]());

test('damaged assets among many are counted without reading the others', async () => {
  const { db } = hub.database;
  using statements = recordStatements();
  expect(await countDamagedAssets(db)).toEqual({ Missing: 1, Mismatched: 2, Error: 1 });
  expect(await findDamagedAssets(db)).toMatchObject({ count: 3 });
  for (const text of ['group by storage_status', 'count(*) over ()']) {
    const [statement] = statements.containing(text);
    expect(await mostRowsOf(db, statement!), text).toBeLessThan(20);
  }
});
