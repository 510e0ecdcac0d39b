import { ids } from '@corral/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshExecutor, type FreshExecutor } from '../../test/fresh-executor.ts';
import { mostRowsOf } from '../../test/plan-rows.ts';
import { recordStatements } from '../../test/recorded-statements.ts';
import { seedRepository } from '../../test/seed-repository.ts';
import { chunkBytes } from '../assets/chunk-size.ts';
import { countDamagedAssets, findAssetsWithoutChunks, findDamagedAssets } from './asset-checks.ts';

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

test('assets without chunk digests are found among many that have them, or are in stores that are not read', async () => {
  const { db } = hub.database;
  const trusted = {
    store_id: 'trusted',
    endpoint: 'https://s3.example',
    bucket: 'assets',
    prefix: '',
    access_key_id: 'key',
    secret_access_key: Buffer.from('sealed'),
    created_at: new Date(),
    trusts_size: true,
  };
  await db.insertInto('object_stores').values(trusted).execute();
  await sql`
    update assets set size = 2000000, has_chunk_digests = digest < '\\x80' and storage_key not in ('k1', 'k2', 'k3'),
      store_id = case when digest >= '\\x80' and storage_key not in ('k1', 'k2', 'k3') then 'trusted' end`.execute(
    db,
  );
  await sql`analyze assets`.execute(db);
  using statements = recordStatements();
  const find = (isDiskLeftOut: boolean) =>
    findAssetsWithoutChunks(db, '', { chunkBytes, isDiskLeftOut, leftOutStoreIds: [] });
  expect((await find(false)).map(({ storage_key: key }) => key)).toEqual(['k1', 'k2', 'k3']);
  expect(await find(true)).toEqual([]);
  const [statement] = statements.containing('has_chunk_digests');
  expect(await mostRowsOf(db, statement!)).toBeLessThan(20);
  await sql`insert into asset_chunks (asset_id, digests) select asset_id, '' from assets where storage_key = 'k2'`.execute(
    db,
  );
  expect(await find(false)).toHaveLength(2);
  await db.deleteFrom('asset_chunks').execute();
  expect(await find(false)).toHaveLength(3);
});
