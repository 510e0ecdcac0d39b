import { expect, test } from 'vitest';
import { freshDatabase } from '../../test/fresh-database.ts';
import { storeForNewAssets } from './object-stores.ts';

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
