import { join } from 'node:path';
import { existsSync } from 'node:fs';
import { ids, type Id } from '@corral/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callUrl, fileOf } from '../../../test/asset-scene.ts';
import { backedUpHub, storeEnv, type BackedUpHub } from '../../../test/backed-up-hub.ts';
import { startHubProgram } from '../../../test/hub-program.ts';
import { s3Double, type S3Double } from '../../../test/s3-double/s3-double.ts';
import { isProbeObject } from '../../domains/assets/storage/probe-objects.ts';
import { checkAll } from '../doctor/doctor-command.ts';
import { openOffline } from '../offline-executor.ts';
import { openExistingDatabase } from '../open-existing-database.ts';
import { loadConfig } from '../../config/config.ts';
import { collectAssets } from '../../domains/assets/jobs/collect-assets.ts';
import { sweepStores } from '../../domains/assets/jobs/sweep-stores.ts';
import { findUnclaimedStores } from '../../domains/assets/sql/unclaimed-stores.ts';

const dayMs = 86_400_000;
let hub: BackedUpHub;
/** Without the assets of stores. */
let plain: string;
/** With them. */
let full: string;
/** The first is in a store that was replaced by the second's. */
let assetIds: readonly [string, string];
let unfinished: string;

beforeAll(async () => {
  hub = await backedUpHub();
  const repositoryId = hub.repositoryIds.inStore;
  const first = await hub.upload(repositoryId);
  const s3Config = { region: 'us-east-1', ...hub.store.settings, prefix: 'later' };
  await hub.program.invoke('repositories_SetS3Config', { repositoryId, s3Config });
  assetIds = [first, await hub.upload(repositoryId)];
  const { bytes, digest } = fileOf(5000);
  const begun = { repositoryId, size: bytes.length, digest };
  unfinished = String((await hub.program.invoke('repositories_CreateAsset', begun)).assetId);
  [plain, full] = [join(hub.folder, 'plain'), join(hub.folder, 'full')];
  const backUp = (...args: string[]) =>
    hub.run(['backup', ...args, '--data-dir', hub.dataDir, '--with-secret-key']);
  expect(await backUp(plain)).toMatchObject({ code: 0 });
  expect(await backUp(full, '--with-object-stores')).toMatchObject({ code: 0 });
  await hub.upload(repositoryId);
}, 180_000);
afterAll(async () => {
  await hub.stop();
  await hub.remove();
});

const folderOf = (name: string) => join(hub.folder, name);
const restore = (folder: string, dataDir: string, args: string[] = [], env = {}) =>
  hub.run(['restore', folder, '--data-dir', dataDir, ...args], env);

/** The keys in a bucket, without the objects that a hub checks its store with: one that is stopped meanwhile leaves them to its sweep. */
const keysOf = ({ objects }: S3Double) => [...objects.keys()].filter((key) => !isProbeObject(key));

/** The environment of a hub whose store this is. */
const instanceEnv = ({ settings }: S3Double, prefix: string) => ({
  CORRAL_S3_ENDPOINT: settings.endpoint,
  CORRAL_S3_BUCKET: settings.bucket,
  CORRAL_S3_PREFIX: prefix,
  CORRAL_S3_REGION: 'us-east-1',
  CORRAL_S3_FORCE_PATH_STYLE: 'true',
  CORRAL_S3_ACCESS_KEY_ID: settings.accessKeyId,
  CORRAL_S3_SECRET_ACCESS_KEY: settings.secretAccessKey,
});

/** Opens what was restored, as its jobs use it. */
async function openRestored(dataDir: string, env = {}) {
  const config = loadConfig({ argv: [], env: { ...storeEnv, ...env, CORRAL_DATA_DIR: dataDir } });
  const database = await openExistingDatabase(config);
  const { executor, storages } = await openOffline(config, database);
  return {
    config,
    db: database.db,
    collect: () => collectAssets({ executor, storages }),
    /** Two days from now, when the objects are old enough. */
    sweep: () => sweepStores({ executor, storages, now: () => new Date(Date.now() + 2 * dayMs) }),
    [Symbol.asyncDispose]: () => database.close(),
  };
}

test('a copy in a store of its own deletes nothing in the bucket of the original, also once its configuration names that bucket', async () => {
  await using own = await s3Double({}, 'drill');
  const dataDir = folderOf('drill');
  const replaced = folderOf('replaced-store');
  const { repositoryIds, store } = hub;
  // As the store of the instance always is in such a copy, that of the repository is one that was replaced.
  await hub.program.invoke('repositories_RemoveS3Config', { repositoryId: repositoryIds.inStore });
  const backUp = ['backup', replaced, '--data-dir', hub.dataDir, '--with-secret-key', '--with-object-stores'];
  expect(await hub.run(backUp)).toMatchObject({ code: 0 });
  const into = await restore(replaced, dataDir, ['--into-configured-store'], instanceEnv(own, 'drill'));
  expect(into).toMatchObject({ code: 0 });
  const env = instanceEnv(store, 'later');
  await (await startHubProgram({ dataDir, env: { ...storeEnv, ...env } })).stop();
  await using copy = await openRestored(dataDir, env);
  const why = `deletes nothing in the bucket ${store.settings.bucket} at ${store.settings.endpoint}, because`;
  const before = keysOf(store);
  expect(before.filter((key) => key.startsWith('later/'))).toHaveLength(2);
  await expect(copy.sweep()).rejects.toThrow(why);
  expect(keysOf(store)).toEqual(before);
});

test('a restored copy deletes nothing in the object stores of the backup until they are claimed', async () => {
  const dataDir = folderOf('copy');
  const { endpoint, bucket } = hub.store.settings;
  const why = `This hub was restored from a backup and deletes nothing in the bucket ${bucket} at ${endpoint}, because the hub that was backed up may still use it. If this one replaces it, stop that one for good and run: npm start -- storage claim.`;
  const restored = await restore(plain, dataDir);
  expect(restored).toMatchObject({ code: 0, stdout: expect.stringContaining(why) as string });
  await using copy = await openRestored(dataDir);
  // Nothing refers to what was uploaded before the backup, and what came later is unknown to the copy.
  await copy.db
    .updateTable('assets')
    .set({ touched_at: new Date(Date.now() - 2 * dayMs), upload_url_ends_at: null })
    .execute();
  expect(keysOf(hub.store)).toHaveLength(3);
  await expect(copy.sweep()).rejects.toThrow(why);
  await expect(copy.collect()).rejects.toThrow(`The bytes of 3 assets are not deleted. ${why}`);
  const doctor = (...args: string[]) => hub.run(['storage', 'doctor', '--data-dir', dataDir, ...args]);
  expect(await doctor('--fix')).toMatchObject({
    code: 2,
    stdout: expect.stringMatching(/^unchecked +Leftovers +This hub was restored/m) as string,
  });
  expect(keysOf(hub.store)).toHaveLength(3);
  expect(await checkAll(copy.config)).toContainEqual({ check: 'Restored copy', state: 'wrong', text: why });

  const claim = () => hub.run(['storage', 'claim', '--data-dir', dataDir]);
  expect(await claim()).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`in the bucket ${bucket} at ${endpoint}.`) as string,
  });
  expect((await claim()).stdout).toContain('This hub may delete in all its object stores already.');
  const { rows } = await actionsOf(copy.db);
  expect(rows).toEqual(['repositories_ClaimAssetStores']);
  await copy.collect();
  await copy.sweep();
  expect(hub.store.objects.size).toBe(0);
  expect((await checkAll(copy.config)).map(({ check }) => check)).not.toContain('Restored copy');
  expect((await doctor('--fix')).code).toBe(0);
});

type Db = Awaited<ReturnType<typeof openExistingDatabase>>['db'];

async function actionsOf(db: Db): Promise<{ rows: string[] }> {
  const found = db.selectFrom('audit_actions').select('action').where('action', 'like', '%ClaimAssetStores');
  return { rows: (await found.execute()).map(({ action }) => action) };
}

test('a hub that replaces the original, as its operator says, may delete at once', async () => {
  const restored = await restore(plain, folderOf('successor'), ['--replaces-original']);
  expect(restored.code).toBe(0);
  expect(restored.stdout).not.toContain('deletes nothing');
  await using successor = await openRestored(folderOf('successor'));
  expect(await findUnclaimedStores(successor.db)).toEqual({ buckets: [], count: 0, markedAssets: 0 });
});

test('assets of a store that is lost go to the configured store, and are served from there', async () => {
  await using other = await s3Double();
  const { settings } = other;
  const env = instanceEnv(other, 'moved');
  hub.store.profile.refuses = true;
  hub.store.objects.clear();
  const dataDir = folderOf('moved');
  const options = ['--into-configured-store', '--replaces-original'];
  expect(await restore(full, dataDir, options)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--into-configured-store needs a store') as string,
  });
  other.profile.refuses = true;
  expect(await restore(full, dataDir, options, env)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^CORRAL_S3_ENDPOINT: the bucket assets at .* cannot be used: /) as string,
  });
  expect(existsSync(dataDir)).toBe(false);
  other.profile.refuses = false;
  expect(await restore(full, dataDir, options, env)).toMatchObject({ code: 0 });
  expect(keysOf(other).map((key) => key.split('/')[0])).toEqual(['moved', 'moved']);

  const program = await startHubProgram({ dataDir, env: { ...storeEnv, ...env } });
  try {
    for (const assetId of assetIds) {
      const { url } = await program.invoke('repositories_IssueAssetDownloadUrl', { assetId });
      const { bytes } = await callUrl(String(url));
      expect(bytes.equals(hub.files.get(assetId)!.bytes)).toBe(true);
    }
  } finally {
    await program.stop();
  }
  await using moved = await openRestored(dataDir, env);
  const stores = await moved.db
    .selectFrom('object_stores')
    .select(['store_id', 'endpoint', 'repository_id', 'unclaimed_since'])
    .orderBy('created_at')
    .execute();
  // The one that was replaced has no asset any more; the repository keeps its own for new assets.
  expect(stores).toEqual([
    expect.objectContaining({ endpoint: hub.store.settings.endpoint, unclaimed_since: null }),
    expect.objectContaining({ endpoint: settings.endpoint, repository_id: null }),
  ]);
  const { store_id: storeId, storage_key: key } = await moved.db
    .selectFrom('assets')
    .select(['store_id', 'storage_key'])
    .where('asset_id', '=', ids.asset.raw(unfinished as Id<'asset'>))
    .executeTakeFirstOrThrow();
  expect([storeId, key]).toEqual([stores[1]?.store_id, expect.stringMatching(/^moved\//)]);
});
