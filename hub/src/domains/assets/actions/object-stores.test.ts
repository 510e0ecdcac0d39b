import { ids } from '@corral/contract';
import { expect, test } from 'vitest';
import { freshExecutor } from '../../../../test/fresh-executor.ts';
import { s3Double } from '../../../../test/s3-double/s3-double.ts';
import { seedAsset, seedRepository } from '../../../../test/seed-repository.ts';
import { collect, inPieces, sampleContent, unaborted } from '../../../../test/stored-bytes.ts';
import { storagesOf } from '../../../../test/test-storages.ts';
import type { StoreSettings } from '../storage/s3/store-settings.ts';
import { outgoingRule } from '../../../config/outgoing-addresses.ts';
import { storeForNewAssets } from '../sql/object-stores.ts';
import { MarkCollectableAssets } from '../internal/MarkCollectableAssets.ts';

const configOf = ({ endpoint, bucket, accessKeyId, secretAccessKey }: StoreSettings) => ({
  endpoint,
  bucket,
  accessKeyId,
  secretAccessKey,
});

const without = ({ endpoint, bucket, accessKeyId }: ReturnType<typeof configOf>) => ({
  endpoint,
  bucket,
  accessKeyId,
});

test('an owner sets a store in both shapes, reads it without its secret, and learns what it enforces', async () => {
  await using hub = await freshExecutor();
  await using store = await s3Double({ conditional: 'ignored' });
  const { repositoryId, owner } = await seedRepository(hub);
  const s3Config = configOf(store.settings);
  expect(await hub.as(owner, 'repositories_GetRepositoryS3Config', { repositoryId })).toEqual({});
  expect(await hub.as(owner, 'repositories_GetObjectStore', { repositoryId })).toEqual({
    kind: 'Disk',
    findings: [],
  });
  expect(await hub.refusal(owner, 'repositories_GetS3Config', { repositoryId })).toMatchObject({
    kind: 'Invalid',
    message: 'The repository has no S3-compatible store of its own.',
  });
  const { findings } = await hub.as(owner, 'repositories_SetRepositoryS3Config', {
    repositoryId,
    s3Endpoint: `${s3Config.endpoint}/`,
    s3Bucket: s3Config.bucket,
    s3Prefix: '/corral/',
    s3AccessKeyId: s3Config.accessKeyId,
    s3SecretAccessKey: s3Config.secretAccessKey,
  });
  expect(findings.filter(({ isFine }) => !isFine).map(({ name }) => name)).toEqual(['conditional']);
  expect(await hub.as(owner, 'repositories_GetRepositoryS3Config', { repositoryId })).toEqual({
    s3Endpoint: s3Config.endpoint,
    s3Bucket: s3Config.bucket,
    s3Prefix: 'corral',
    s3AccessKeyId: s3Config.accessKeyId,
  });
  await hub.as(owner, 'repositories_SetS3Config', {
    repositoryId,
    s3Config: { ...s3Config, region: 'eu-1' },
  });
  const shown = { ...without(s3Config), region: 'eu-1', forcePathStyle: true };
  expect(await hub.as(owner, 'repositories_GetS3Config', { repositoryId })).toEqual({ s3Config: shown });
  expect(await hub.as(owner, 'repositories_GetObjectStore', { repositoryId })).toMatchObject({
    kind: 'Own',
    s3Config: shown,
    findings,
    checkedAt: hub.now().toISOString().replace('.000Z', 'Z'),
  });
  const { events } = await hub.as(owner, 'repositories_QueryAuditLogEvents', { repositoryId });
  expect(events.filter(({ event }) => event === 'repositories_StoreChanged')).toHaveLength(2);
  expect(JSON.stringify(events)).not.toContain(s3Config.secretAccessKey);
  await hub.as(owner, 'repositories_RemoveS3Config', { repositoryId });
  expect(await hub.as(owner, 'repositories_GetRepositoryS3Config', { repositoryId })).toEqual({});
});

test('assets stay in the store that they were written to', async () => {
  await using hub = await freshExecutor();
  await using first = await s3Double();
  await using second = await s3Double();
  const { repositoryId, owner } = await seedRepository(hub);
  const storages = storagesOf(hub.database.db, { now: hub.now });
  const current = () => storeForNewAssets(hub.database.db, ids.repository.raw(repositoryId));
  const save = (settings: StoreSettings) =>
    hub.as(owner, 'repositories_SetS3Config', { repositoryId, s3Config: configOf(settings) });
  await save(first.settings);
  const { storeId } = await current();
  const content = sampleContent(1000);
  await (await storages.of(storeId)).write('a/b', inPieces(content.bytes), content, unaborted());
  await save(second.settings);
  expect((await current()).storeId).not.toBe(storeId);
  const read = async () => collect(await (await storages.of(storeId)).read('a/b'));
  expect((await read()).equals(content.bytes)).toBe(true);
});

test('a secret is kept for its endpoint alone', async () => {
  await using hub = await freshExecutor();
  await using store = await s3Double();
  await using thief = await s3Double();
  const { repositoryId, owner } = await seedRepository(hub);
  const s3Config = configOf(store.settings);
  const refusal = (config: object) =>
    hub.refusal(owner, 'repositories_SetS3Config', { repositoryId, s3Config: config });
  const needed = 'Secret access key is needed: none is stored for this endpoint. Please enter it.';
  expect((await refusal(without(s3Config))).message).toBe(needed);
  await hub.as(owner, 'repositories_SetS3Config', { repositoryId, s3Config });
  expect((await refusal({ ...without(s3Config), endpoint: thief.settings.endpoint })).message).toBe(needed);
  expect(thief.requests).toEqual([]);
  const { findings } = await hub.as(owner, 'repositories_SetS3Config', {
    repositoryId,
    s3Config: { ...without(s3Config), endpoint: `${s3Config.endpoint}/`, prefix: 'new' },
  });
  expect(findings.every(({ isFine }) => isFine)).toBe(true);
});

test('clients that do not know a setting keep it, for the same endpoint and bucket', async () => {
  await using hub = await freshExecutor();
  await using store = await s3Double();
  await using other = await s3Double();
  const { repositoryId, owner } = await seedRepository(hub);
  const s3Config = configOf(store.settings);
  const set = (config: object) =>
    hub.as(owner, 'repositories_SetS3Config', { repositoryId, s3Config: { ...s3Config, ...config } });
  /** In the shape of 2025. */
  const setFlat = ({ endpoint, bucket, accessKeyId, secretAccessKey }: typeof s3Config) =>
    hub.as(owner, 'repositories_SetRepositoryS3Config', {
      repositoryId,
      s3Endpoint: endpoint,
      s3Bucket: bucket,
      s3AccessKeyId: accessKeyId,
      s3SecretAccessKey: secretAccessKey,
    });
  const stored = async () =>
    (await hub.as(owner, 'repositories_GetObjectStore', { repositoryId })).s3Config ?? {};
  const known = { publicEndpoint: 'none' };
  await set({ ...known, region: 'eu-1' });
  await set({ region: 'eu-2' });
  expect(await stored()).toMatchObject({ ...known, region: 'eu-2' });
  await setFlat({ ...s3Config, endpoint: `${s3Config.endpoint}/` });
  expect(await stored()).toMatchObject(known);
  await set({ publicEndpoint: '' });
  expect(await stored()).not.toHaveProperty('publicEndpoint');

  // Where the bucket is in the path, only clients of 2025 cannot say.
  await set({ ...known, forcePathStyle: false, endpoint: 'http://127.0.0.1:1' });
  await setFlat({ ...s3Config, endpoint: 'http://127.0.0.1:1' });
  expect(await stored()).toMatchObject({ ...known, forcePathStyle: false });
  await set({ endpoint: 'http://127.0.0.1:1' });
  expect(await stored()).toMatchObject({ ...known, forcePathStyle: true });

  await setFlat(configOf(other.settings));
  expect(await stored()).not.toHaveProperty('publicEndpoint');
  await set(known);
  await set({ bucket: 'other', endpoint: 'http://127.0.0.1:1' });
  expect(await stored()).not.toHaveProperty('publicEndpoint');
});

test('a store is forgotten with its secret a month after it was removed or its repository was deleted', async () => {
  await using hub = await freshExecutor();
  await using store = await s3Double();
  const [removed, deleted, used] = [
    await seedRepository(hub),
    await seedRepository(hub),
    await seedRepository(hub),
  ];
  const s3Config = configOf(store.settings);
  for (const { owner, repositoryId } of [removed, deleted, used])
    await hub.as(owner, 'repositories_SetS3Config', { repositoryId, s3Config });
  const { store_id: usedId } = await hub.database.db
    .selectFrom('object_stores')
    .select('store_id')
    .where('repository_id', '=', ids.repository.raw(used.repositoryId))
    .executeTakeFirstOrThrow();
  await seedAsset(hub, used);
  await hub.database.db.updateTable('assets').set({ store_id: usedId }).execute();
  for (const { owner, repositoryId } of [removed, used])
    await hub.as(owner, 'repositories_RemoveS3Config', { repositoryId });
  await hub.as(deleted.owner, 'repositories_DeleteRepository', { repositoryId: deleted.repositoryId });
  const collect = () => hub.run(MarkCollectableAssets);
  const kept = async () =>
    (await hub.database.db.selectFrom('object_stores').select('store_id').execute()).length;
  await collect();
  expect(await kept()).toBe(3);
  await hub.database.db
    .updateTable('assets')
    .set({ touched_at: new Date('2100-01-01') })
    .execute();
  hub.advance(31 * 86_400);
  await collect();
  expect(await kept()).toBe(1);
});

test('a refusal does not tell the address of a name', async () => {
  await using hub = await freshExecutor({
    storages: (db) => storagesOf(db, { ruleFor: () => outgoingRule([]) }),
  });
  const { repositoryId, owner } = await seedRepository(hub);
  const settings = { endpoint: 'https://localhost', bucket: 'assets', accessKeyId: 'AKID' };
  const s3Config = {
    ...configOf({ ...settings, secretAccessKey: 'secret', prefix: '', forcePathStyle: true }),
  };
  for (const endpoint of ['https://localhost', 'http://localhost:1'])
    expect(
      await hub.refusal(owner, 'repositories_SetS3Config', {
        repositoryId,
        s3Config: { ...s3Config, endpoint },
      }),
    ).toMatchObject({
      kind: 'Invalid',
      message: 'The address of the store is private: ask the operator to add it to CORRAL_PRIVATE_TARGETS.',
    });
});

test('settings that a store refuses change nothing; a store that does not answer is saved', async () => {
  await using hub = await freshExecutor({
    storages: (db) =>
      storagesOf(db, { ruleFor: () => outgoingRule([{ place: '127.0.0.1', port: undefined }]) }),
  });
  await using store = await s3Double();
  const { repositoryId, owner } = await seedRepository(hub);
  const s3Config = configOf(store.settings);
  const refusal = async (wrong: object) => {
    const { kind, message } = await hub.refusal(owner, 'repositories_SetS3Config', {
      repositoryId,
      s3Config: { ...s3Config, ...wrong },
    });
    expect(kind).toBe('Invalid');
    return message;
  };
  expect(await refusal({ secretAccessKey: 'wrong' })).toMatch(
    /check the secret key.*It said “SignatureDoesNotMatch”\.$/,
  );
  expect(await refusal({ bucket: 'missing' })).toMatch(/has no such bucket/);
  expect(await refusal({ endpoint: 'http://169.254.169.254' })).toMatch(/cannot be at the address/);
  expect(await refusal({ endpoint: 'http://10.0.0.1' })).toMatch(/CORRAL_PRIVATE_TARGETS/);
  expect(await refusal({ endpoint: 'ftp://x' })).toMatch(/^Endpoint must be/);
  expect(await refusal({ prefix: 'a/../b' })).toMatch(/^Prefix must be/);
  expect(await hub.as(owner, 'repositories_GetObjectStore', { repositoryId })).toMatchObject({
    kind: 'Disk',
  });
  const silent = { ...s3Config, endpoint: 'http://127.0.0.1:1' };
  const { findings } = await hub.as(owner, 'repositories_SetS3Config', { repositoryId, s3Config: silent });
  expect(findings).toMatchObject([{ name: 'reachable', isFine: false }]);
});
