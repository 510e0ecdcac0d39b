import type { ActionName, Actor, CallInput, Id, Output } from '@corral/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { assetScene, callUrl, fileOf, type AssetScene } from '../../../test/asset-scene.ts';
import { system } from '../../../test/fresh-executor.ts';
import { s3Double, type S3Double } from '../../../test/s3-double/s3-double.ts';
import { ReportAssetCheck } from '../../domains/assets/internal/ReportAssetCheck.ts';

let store: S3Double;
let scene: AssetScene;
/** How many objects the store was asked for and has not sent yet. */
let heldCount: number;
let resume: () => void;

beforeEach(async () => {
  store = await s3Double({ reportsChecksum: false });
  scene = await assetScene();
  const s3Config = { region: 'us-east-1', ...store.settings };
  await as(scene.owner, 'repositories_SetS3Config', { repositoryId: scene.repositoryId, s3Config });
  heldCount = 0;
});
afterEach(async () => {
  resume?.();
  await scene[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
});

function as<Name extends ActionName>(
  actor: Actor,
  name: Name,
  input: CallInput<Name>,
): Promise<Output<Name>> {
  return scene.hub.executor.invoke({ actor, origin: {} }, name, input);
}

const finalize = (actor: Actor, assetId: Id<'asset'>) =>
  as(actor, 'repositories_FinalizeAssetUpload', { assetId });

/** Uploads a file to the store itself. */
async function uploadDirectly(): Promise<Id<'asset'>> {
  const file = fileOf(1000);
  const assetId = await scene.create(file);
  const issued = await as(scene.owner, 'repositories_IssueAssetUploadUrl', { assetId });
  const { verifiedUrl = '', headers = {} } = issued;
  expect((await callUrl(verifiedUrl, { method: 'PUT', headers, body: file.bytes })).status).toBe(200);
  return assetId;
}

function hold(): void {
  const resumed = Promise.withResolvers<void>();
  resume = resumed.resolve;
  store.profile.sendsAfter = async (key) => {
    if (!key.includes('/sha256/')) return;
    heldCount += 1;
    await resumed.promise;
  };
}

test('uploads are read one of a member at a time and four in all, and those of others do not wait for them', async () => {
  const { repositoryId, owner, hub } = scene;
  const members = await Promise.all(
    ['a', 'b', 'c', 'd'].map(async (name) => {
      const member = await hub.user(`${name}@example.org`);
      await as(system, 'repositories_AddRepositoryMember', { repositoryId, userId: member.userId });
      return member;
    }),
  );
  const [first, second, ...others] = await Promise.all(Array.from({ length: 6 }, uploadDirectly));
  hold();
  const ofOwner = [first!, second!].map((assetId) => finalize(owner, assetId));
  await vi.waitFor(() => expect(heldCount).toBe(1));
  const ofMembers = others.map((assetId, index) => finalize(members[index]!, assetId));
  await vi.waitFor(() => expect(heldCount).toBe(4));
  // An upload that needs no reading waits for none.
  const available = await scene.upload(fileOf(500));
  await finalize(owner, available);
  expect(heldCount).toBe(4);
  resume();
  await Promise.all([...ofOwner, ...ofMembers]);
  expect(heldCount).toBe(6);
});

test('an asset whose bytes were repaired is announced as checked, not as new', async () => {
  const assetId = await uploadDirectly();
  await finalize(scene.owner, assetId);
  const report = { assetId, storageStatus: 'Mismatched', detail: 'It was read.' } as const;
  await scene.hub.executor.run({ actor: system, origin: {} }, ReportAssetCheck, report);
  await finalize(scene.owner, assetId);
  expect((await scene.details(assetId)).storage?.status).toBe('Verified');
  const { repositoryId } = scene;
  const { events } = await as(scene.owner, 'repositories_QueryAuditLogEvents', { repositoryId });
  expect(events.filter(({ event }) => event === 'repositories_AssetAvailable')).toHaveLength(1);
});
