import { afterAll, beforeAll, expect, test } from 'vitest';
import { assetScene, callUrl, fileOf } from '../../../test/asset-scene.ts';
import { s3Double, type S3Double } from '../../../test/s3-double/s3-double.ts';
import { storagesOf } from '../../../test/test-storages.ts';

let store: S3Double;
beforeAll(async () => {
  store = await s3Double();
});
afterAll(() => store[Symbol.asyncDispose]());

const file = fileOf(200_000);

/** A public repository with a file in a store of its own. */
async function publicScene(env: Readonly<Record<string, string>>) {
  const scene = await assetScene({ env });
  const configure = (more: object) => scene.useStore(store, more);
  await configure({});
  const assetId = await scene.upload(file);
  const folder = await scene.publish({ 'app.bin': assetId });
  const get = () => callUrl(`${folder}/app.bin`);
  const issue = async () => (await scene.call('repositories_IssueAssetDownloadUrl', { assetId })).url;
  return { scene, configure, get, issue, [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose]() };
}

const hosts = (list: string) => ({ CORRAL_S3_REDIRECT_HOSTS: list });

test.each([{}, hosts('s3.example'), hosts('27.0.0.1, 127.0.0.1.example')])(
  'a path does not lead to a host that only the owner of the repository chose: %j',
  async (env) => {
    await using to = await publicScene(env);
    const { status, bytes, headers } = await to.get();
    expect([status, bytes.equals(file.bytes), headers.location]).toEqual([200, true, undefined]);
  },
);

test('a path leads to a host on the list of the operator, and to no other that the owner sets later', async () => {
  await using to = await publicScene(hosts('s3.example, 127.0.0.1'));
  const { status, headers } = await to.get();
  expect([status, headers.location?.startsWith(store.settings.endpoint)]).toEqual([302, true]);
  await to.configure({ publicEndpoint: store.settings.endpoint.replace('127.0.0.1', 'localhost') });
  expect((await to.get()).status).toBe(200);
});

test('a path leads to the store of the instance, which the operator set', async () => {
  const settings = { ...store.settings, region: 'us-east-1', publicEndpoint: undefined };
  await using to = await publicScene({});
  const { hub } = to.scene;
  const owned = storagesOf(hub.database.db, {
    readStore: async () => ({ owner: 'instance', settings }),
  });
  const storage = await owned.of('any');
  expect(storage.mayRedirectTo?.(`${store.settings.endpoint}/bucket/key`)).toBe(true);
});

test('publicEndpoint none takes effect at once: the next path and the next download go through the hub', async () => {
  await using to = await publicScene(hosts('127.0.0.1'));
  expect((await to.get()).status).toBe(302);
  expect((await to.issue()).startsWith(store.settings.endpoint)).toBe(true);
  await to.configure({ publicEndpoint: 'none' });
  expect((await to.get()).status).toBe(200);
  expect(await to.issue()).toContain('/r/assets/');
});
