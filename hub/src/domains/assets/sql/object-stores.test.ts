import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { freshDatabase } from '../../../../test/fresh-database.ts';
import { testVault } from '../../../../test/test-vault.ts';
import { createVault } from '../../../platform/vault/vault.ts';
import { missingVaultKeys } from '../../instance/sql/instance-keys.ts';
import { objectStoreWithSecret, setCurrentStore, storeForNewAssets } from './object-stores.ts';
import { claimStores, findUnclaimedStores, leaveStoresUnclaimed } from './unclaimed-stores.ts';

test("new assets go to the repository's current store, else to that of the instance, else to the data folder", async () => {
  await using database = await freshDatabase();
  const add = (storeId: string, repositoryId: string | null, replacedAt: Date | null = null) =>
    database.db
      .insertInto('object_stores')
      .values({
        store_id: storeId,
        repository_id: repositoryId,
        endpoint: 'https://s3.example',
        bucket: 'assets',
        prefix: `${storeId}/`,
        access_key_id: 'key',
        secret_access_key: Buffer.from('sealed'),
        created_at: new Date(),
        replaced_at: replacedAt,
      })
      .execute();
  const current = (repositoryId: string) => storeForNewAssets(database.db, repositoryId);
  await add('old', 'r1', new Date());
  expect(await current('r1')).toEqual({ storeId: null, prefix: '' });
  await add('instance', null);
  expect(await current('r1')).toEqual({ storeId: 'instance', prefix: 'instance/' });
  await add('own', 'r1');
  expect(await current('r1')).toEqual({ storeId: 'own', prefix: 'own/' });
  expect(await current('r2')).toEqual({ storeId: 'instance', prefix: 'instance/' });
});

test('a change of keys keeps the row, another place is another row, and secrets are sealed by row', async () => {
  await using database = await freshDatabase();
  const now = new Date();
  const settings = {
    endpoint: 'https://s3.example',
    publicEndpoint: undefined,
    bucket: 'assets',
    region: undefined,
    prefix: '',
    forcePathStyle: true,
    accessKeyId: 'first',
  };
  const save = (more: Partial<typeof settings>, secretAccessKey: string) =>
    database.db.transaction().execute((tx) =>
      setCurrentStore(
        { tx, vault: testVault, now },
        {
          repositoryId: 'r1',
          settings: { ...settings, ...more },
          secretAccessKey,
          capabilities: { ranges: true },
        },
      ),
    );
  const first = await save({}, 'secret one');
  expect(await save({ accessKeyId: 'second' }, 'secret two')).toBe(first);
  expect(await objectStoreWithSecret(database.db, testVault, first)).toMatchObject({
    accessKeyId: 'second',
    secretAccessKey: 'secret two',
    capabilities: { ranges: true },
  });
  const other = await save({ bucket: 'other' }, 'secret three');
  expect(other).not.toBe(first);
  expect(await storeForNewAssets(database.db, 'r1')).toEqual({ storeId: other, prefix: '' });
  expect(await objectStoreWithSecret(database.db, testVault, first)).toMatchObject({ bucket: 'assets' });
  const { rows } = await sql<{
    secret_access_key: Buffer;
  }>`select secret_access_key from object_stores`.execute(database.db);
  expect(rows).toHaveLength(2);
  for (const row of rows) expect(row.secret_access_key.toString('latin1')).not.toContain('secret');
  await sql`update object_stores set secret_access_key = ${rows[0]!.secret_access_key}`.execute(database.db);
  const opened = await Promise.allSettled(
    [first, other].map((id) => objectStoreWithSecret(database.db, testVault, id)),
  );
  expect(opened.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
});

test('a secret is sealed again under a new key, and the hub knows which keys it needs', async () => {
  await using database = await freshDatabase();
  const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
  const storeId = await setCurrentStore(
    { tx: database.db, vault: createVault([oldKey]), now: new Date() },
    {
      repositoryId: null,
      settings: {
        endpoint: 'https://s3.example',
        publicEndpoint: undefined,
        bucket: 'assets',
        region: undefined,
        prefix: '',
        forcePathStyle: true,
        accessKeyId: 'key',
      },
      secretAccessKey: 'secret',
      capabilities: null,
    },
  );
  expect(await missingVaultKeys(database.db, createVault([newKey]))).toHaveLength(1);
  await objectStoreWithSecret(database.db, createVault([newKey, oldKey]), storeId);
  expect(await missingVaultKeys(database.db, createVault([newKey]))).toEqual([]);
  expect(await objectStoreWithSecret(database.db, createVault([newKey]), storeId)).toMatchObject({
    secretAccessKey: 'secret',
  });
});

test('a new store in the bucket of a store that a restored copy has not claimed is unclaimed, too', async () => {
  await using database = await freshDatabase();
  const { db } = database;
  const now = new Date();
  const add = (bucket: string, endpoint: string) => {
    const settings = {
      endpoint,
      publicEndpoint: undefined,
      bucket,
      region: undefined,
      prefix: '',
      forcePathStyle: true,
      accessKeyId: 'key',
    };
    const wanted = { repositoryId: null, settings, secretAccessKey: 'secret', capabilities: null };
    return db.transaction().execute((tx) => setCurrentStore({ tx, vault: testVault, now }, wanted));
  };
  await add('assets', 'https://s3.example');
  await leaveStoresUnclaimed(db, now);
  await add('elsewhere', 'https://s3.example');
  await add('assets', 'https://10.0.0.1:9000');
  expect(await findUnclaimedStores(db)).toEqual({
    buckets: [
      { endpoint: 'https://10.0.0.1:9000', bucket: 'assets' },
      { endpoint: 'https://s3.example', bucket: 'assets' },
    ],
    count: 2,
    markedAssets: 0,
  });
  await claimStores(db);
  expect((await findUnclaimedStores(db)).count).toBe(0);
});
