import type { Id } from '@corral/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assetScene, type AssetScene, callUrl, fileOf } from '../../../test/asset-scene.ts';
import { systemCaller } from '../../calls/handler.ts';
import { justProved } from '../../../test/just-proved.ts';

let scene: AssetScene;
let repository: string;
const [first, second] = [fileOf(1000), fileOf(1000)];
const names = ['image.bin', 'a/b', '%2f', 'x"y;z', 'é ü', 'CON', '?#&', '\u202Egpj.exe', 'line\r\nbreak'];
beforeAll(async () => {
  scene = await assetScene();
  const { packageId } = await invoke('repositories_CreatePackage', {
    repositoryId: scene.repositoryId,
    name: 'image',
  });
  await addVersion(packageId as Id<'package'>, 'stable', first, names);
  await addVersion(packageId as Id<'package'>, 'stable', second, ['image.bin']);
  ({ name: repository } = (await invoke('repositories_GetRepositoryDetails', {
    repositoryId: scene.repositoryId,
  })) as { name: string });
  await setVisibility('Public');
});
afterAll(() => scene[Symbol.asyncDispose]());

const invoke = async (name: string, input: unknown): Promise<Record<string, unknown>> =>
  (await scene.hub.executor.execute({ actor: scene.owner, origin: justProved }, name, input)) as Record<
    string,
    unknown
  >;
const setVisibility = (visibility: string) =>
  invoke('repositories_SetRepositoryVisibility', { repositoryId: scene.repositoryId, visibility });

async function addVersion(packageId: Id<'package'>, tag: string, file: typeof first, filenames: string[]) {
  const assetId = await scene.upload(file);
  const { versionId } = await invoke('repositories_CreatePackageVersion', { packageId, tags: [] });
  for (const filename of filenames)
    await invoke('repositories_AddPackageVersionAsset', { versionId, assetId, filename });
  await invoke('repositories_TagPackageVersion', { versionId, tags: [{ tag }] });
}

const get = (tag: string, filename: string, call: Parameters<typeof callUrl>[1] = {}) =>
  callUrl(
    `${scene.hub.url}/r/${encodeURIComponent(repository)}/image/${encodeURIComponent(tag)}/${encodeURIComponent(filename)}`,
    call,
  );

test('a file of a public repository has a stable path that follows its tag', async () => {
  const answer = await get('stable', 'image.bin');
  expect([answer.status, answer.bytes.equals(second.bytes)]).toEqual([200, true]);
  expect(answer.headers).toMatchObject({
    'cache-control': 'public, no-cache',
    etag: `"${second.digest.replace('_', ':')}"`,
    'content-disposition': 'attachment; filename="image.bin"',
  });
  const etag = String(answer.headers.etag);
  expect((await get('stable', 'image.bin', { headers: { 'if-none-match': etag } })).status).toBe(304);
  expect((await get('stable', 'image.bin', { method: 'HEAD' })).headers['content-length']).toBe('1000');
  expect((await get('stable', 'image.bin', { headers: { range: 'bytes=0-9' } })).bytes).toEqual(
    second.bytes.subarray(0, 10),
  );
  expect((await get('stable~1', 'image.bin')).bytes.equals(first.bytes)).toBe(true);
});

test('the tag of a build is found in a path with and without encoding', async () => {
  const { packageId } = await invoke('repositories_ResolvePackageByPath', { repository, package: 'image' });
  await addVersion(packageId as Id<'package'>, 'v1.2.0+build7', first, ['image.bin']);
  const bare = `${scene.hub.url}/r/${encodeURIComponent(repository)}/image/v1.2.0+build7/image.bin`;
  for (const answer of [await get('v1.2.0+build7', 'image.bin'), await callUrl(bare)])
    expect([answer.status, answer.bytes.equals(first.bytes)]).toEqual([200, true]);
});

test.each(names)('the name %j is found as it was stored', async (filename) => {
  const { status, bytes, headers } = await get('stable~1', filename);
  expect([status, bytes.equals(first.bytes)]).toEqual([200, true]);
  expect(headers['content-disposition']).toMatch(
    /^attachment(?:; filename="[^"\\\r\n]*"(?:; filename\*=UTF-8''[\w.%~!-]*)?)?$/,
  );
});

test('the path of a locked tag keeps its bytes when a member renames the package and creates it anew', async () => {
  const { packageId } = (await invoke('repositories_CreatePackage', {
    repositoryId: scene.repositoryId,
    name: 'fw',
  })) as { packageId: Id<'package'> };
  await addVersion(packageId, 'prod', first, ['app.bin']);
  const { versionId } = await invoke('repositories_ResolvePackageVersionByPath', {
    repository,
    package: 'fw',
    tag: 'prod',
  });
  await invoke('repositories_TagPackageVersion', { versionId, tags: [{ tag: 'prod', locked: true }] });
  const { userId } = await scene.hub.user('member@example.org');
  const member = { actor: { actor: 'User', kind: 'User', userId }, origin: justProved } as const;
  const { repositoryId } = scene;
  await scene.hub.executor.invoke(systemCaller, 'repositories_AddRepositoryMember', { repositoryId, userId });
  const renamed = scene.hub.executor.invoke(member, 'repositories_SetPackageName', {
    packageId,
    name: 'old',
  });
  await expect(renamed).rejects.toThrow(
    `The locked tag prod points at the version ${String(versionId)} of this package, so the package cannot be renamed.`,
  );
  const again = { repositoryId, name: 'fw' };
  expect(await scene.hub.executor.invoke(member, 'repositories_CreatePackage', again)).toEqual({
    result: 'NameAlreadyExists',
  });
  const { bytes } = await callUrl(`${scene.hub.url}/r/${encodeURIComponent(repository)}/fw/prod/app.bin`);
  expect(bytes.equals(first.bytes)).toBe(true);
});

test('missing and private files look the same, also for a malformed reference', async () => {
  const missing = await get('stable', 'other.bin');
  expect(missing.status).toBe(404);
  for (const tag of ['none', 'stable~0', 'stable@yesterday', 'stable~9'])
    expect((await get(tag, 'image.bin')).bytes).toEqual(missing.bytes);
  for (const path of [
    '/r/',
    '/r/a',
    '/r/a/b/c',
    '/r/a/b/c/d/e',
    '/r/%zz/b/c/d',
    '/r/a/b/c/%00',
    '/r/assets/x',
  ])
    expect((await callUrl(scene.hub.url + path)).status).toBe(404);
  expect((await get('stable', 'image.bin', { method: 'POST' })).status).toBe(405);
  await setVisibility('Private');
  const hidden = await get('stable', 'image.bin');
  expect([hidden.status, hidden.bytes]).toEqual([404, missing.bytes]);
  const signedIn = await get('stable', 'image.bin', {
    headers: { authorization: 'Bearer x', cookie: 'a=b' },
  });
  expect(signedIn.status).toBe(404);
});
