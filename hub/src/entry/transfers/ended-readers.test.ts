import { type ActionName, type Actor, type CallInput, type Id, type Output } from '@corral/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  assetScene,
  callUrl,
  fileOf,
  offsetOf,
  put,
  tus,
  tusPart,
  type AssetScene,
} from '../../../test/asset-scene.ts';
import { system } from '../../../test/http-hub.ts';
import { newCertificate, newFingerprint, seedUser } from '../../../test/seed.ts';
import { testVault } from '../../../test/test-vault.ts';
import { assetUrlKeyPurpose, signAssetPath } from '../../auth/asset-url.ts';
import { instanceKey } from '../../domains/instance/sql/instance-keys.ts';
import { AuthenticateDevice } from '../../domains/devices/internal/AuthenticateDevice.ts';

let scene: AssetScene;
let assetId: Id<'asset'>;
beforeAll(async () => {
  scene = await assetScene();
  assetId = await scene.upload(fileOf(1000));
});
afterAll(() => scene[Symbol.asyncDispose]());

const as: <Name extends ActionName>(
  actor: Actor,
  name: Name,
  input: CallInput<Name>,
) => Promise<Output<Name>> = (actor, name, input) => scene.call(name, input, actor);
const member = async () => {
  const { repositoryId, hub } = scene;
  const user = await seedUser({ ...hub, now: () => new Date() }, `${Math.random()}@example.org`);
  const { userId } = user;
  await as(system.actor, 'repositories_AddRepositoryMember', { repositoryId, userId });
  return user;
};
const setVisibility = (visibility: 'Public' | 'Private') =>
  as(scene.owner, 'repositories_SetRepositoryVisibility', { repositoryId: scene.repositoryId, visibility });

async function urlOf(actor: Actor): Promise<string> {
  const { pathname, search } = new URL(
    (await as(actor, 'repositories_IssueAssetDownloadUrl', { assetId })).url,
  );
  const url = `${scene.hub.url}${pathname}${search}`;
  await mustBeServed(url);
  return url;
}
async function mustBeServed(url: string): Promise<void> {
  expect((await callUrl(url)).status).toBe(200);
}
/** Expects the answer to an expired URL. */
async function mustBeEnded(url: string, call: Parameters<typeof callUrl>[1] = {}): Promise<void> {
  const { status, bytes } = await callUrl(url, call);
  expect([status, JSON.parse(bytes.toString())]).toEqual([
    403,
    {
      kind: 'Forbidden',
      message: 'This URL has expired. Ask the hub for a new one and go on where you were.',
    },
  ]);
}

test('the URL of a member ends with the membership', async () => {
  const user = await member();
  const { userId } = user;
  const url = await urlOf(user);
  await as(scene.owner, 'repositories_RemoveRepositoryMember', { repositoryId: scene.repositoryId, userId });
  await mustBeEnded(url);
  await mustBeServed(await urlOf(scene.owner));
});

test('the URL of a user ends while the user is disabled', async () => {
  const user = await member();
  const { userId } = user;
  const url = await urlOf(user);
  await as(system.actor, 'users_SetUserIsDisabled', { userId, isDisabled: true });
  await mustBeEnded(url);
  await as(system.actor, 'users_SetUserIsDisabled', { userId, isDisabled: false });
  await mustBeServed(url);
});

test('the URL of a user token ends with the token, and not with another one', async () => {
  const user = await member();
  const { userId } = user;
  const { tokenId } = await as(user, 'users_CreateUserToken', { userId });
  const token = { actor: 'UserToken', kind: 'UserToken', userId, tokenId } as const;
  const [url, ownUrl] = [await urlOf(token), await urlOf(user)];
  await as(user, 'users_DeleteUserToken', { tokenId });
  await mustBeEnded(url);
  await mustBeServed(ownUrl);
});

test('the URLs of others than members end when a public repository becomes private again', async () => {
  await setVisibility('Public');
  const stranger = await seedUser({ ...scene.hub, now: () => new Date() }, `${Math.random()}@example.org`);
  const url = await urlOf(stranger);
  await setVisibility('Private');
  await mustBeEnded(url);
});

async function linkedDevice() {
  const { repositoryId, owner } = scene;
  const { projectId } = await as(owner, 'projects_CreateProject', { name: 'Plant' });
  await as(owner, 'projects_AddProjectRepository', { projectId, repositoryId });
  const issued = { projectId, name: 'line 1', flags: { autoAccept: true } };
  const { token } = await as(owner, 'projects_CreateDeploymentToken', issued);
  const shown = { token, fingerprint: newFingerprint(), certificate: newCertificate() };
  const admission = await scene.hub.executor.run(system, AuthenticateDevice, shown);
  return { ...admission, projectId };
}

test.each<[string, (device: Awaited<ReturnType<typeof linkedDevice>>) => Promise<unknown>]>([
  [
    'its certificate is revoked',
    ({ certificateId }) =>
      as(scene.owner, 'devices_SetDeviceCertificateStatus', { certificateId, status: 'Revoked' }),
  ],
  ['it is deleted', ({ deviceId }) => as(scene.owner, 'devices_DeleteDevice', { deviceId })],
  [
    'its project loses the repository',
    ({ projectId }) =>
      as(scene.owner, 'projects_RemoveProjectRepository', { projectId, repositoryId: scene.repositoryId }),
  ],
  ['its project is deleted', ({ projectId }) => as(scene.owner, 'projects_DeleteProject', { projectId })],
])('the URL of a device ends when %s', async (_, end) => {
  const [device, other] = [await linkedDevice(), await linkedDevice()];
  const [url, otherUrl] = [await urlOf(device.actor), await urlOf(other.actor)];
  await end(device);
  await mustBeEnded(url);
  await mustBeServed(otherUrl);
});

type Ending = (user: Awaited<ReturnType<typeof member>>) => Promise<unknown>;

test.each<[string, Ending]>([
  [
    'the membership',
    ({ userId }) =>
      as(scene.owner, 'repositories_RemoveRepositoryMember', { repositoryId: scene.repositoryId, userId }),
  ],
  ['the account', ({ userId }) => as(system.actor, 'users_SetUserIsDisabled', { userId, isDisabled: true })],
])('the upload URL of a member ends with %s, whole or in parts', async (_, end) => {
  const user = await member();
  const file = fileOf(1000);
  const created = await scene.create(file);
  const issued = await as(user, 'repositories_IssueAssetUploadUrl', { assetId: created });
  const url = issued.url.replace(/^https?:\/\/[^/]+/, scene.hub.url);
  expect(await offsetOf(url)).toBe(0);
  await end(user);
  await mustBeEnded(url, { method: 'PUT', body: file.bytes });
  await mustBeEnded(url, { method: 'PATCH', headers: tusPart(0), body: file.bytes });
  await mustBeEnded(url, { method: 'DELETE', headers: tus });
  expect((await callUrl(url, { method: 'HEAD', headers: tus })).status).toBe(403);
  expect((await scene.details(created)).status).toBe('Dangling');
  expect((await put(await scene.uploadUrl(created), file)).status).toBe(200);
});

test('the upload URL of a user token ends with the token', async () => {
  const user = await member();
  const { userId } = user;
  const { tokenId } = await as(user, 'users_CreateUserToken', { userId });
  const file = fileOf(1000);
  const created = await scene.create(file);
  const token = { actor: 'UserToken', kind: 'UserToken', userId, tokenId } as const;
  const { url } = await as(token, 'repositories_IssueAssetUploadUrl', { assetId: created });
  await as(user, 'users_DeleteUserToken', { tokenId });
  await mustBeEnded(url.replace(/^https?:\/\/[^/]+/, scene.hub.url), { method: 'PUT', body: file.bytes });
});

test('the reader of a URL cannot be changed or left out, and URLs of the release before, without one, are valid for their time', async () => {
  const [mine, other] = [await member(), await member()];
  const url = await urlOf(mine);
  expect(url).toContain(`reader=${mine.userId}`);
  for (const altered of [url.replace(mine.userId, other.userId), url.replace(/reader=[^&]+&/, '')]) {
    expect(altered).not.toBe(url);
    const { status, bytes } = await callUrl(altered);
    expect([status, bytes.toString()]).toEqual([403, expect.stringContaining('not valid for this')]);
  }
  const { db } = scene.hub.database;
  const key = await instanceKey({ tx: db, now: new Date(), vault: testVault }, assetUrlKeyPurpose);
  const expiresAtSecs = Math.floor(Date.now() / 1000) + 60;
  const before = scene.hub.url + signAssetPath(key, { purpose: 'download', assetId, expiresAtSecs });
  await mustBeServed(before);
  scene.hub.advance(61);
  await mustBeEnded(before);
});
