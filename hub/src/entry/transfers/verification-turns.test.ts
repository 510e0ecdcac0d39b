import type { Actor, Id } from '@corral/contract';
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
const checkPace = { graceMs: 0, bytesPerSec: 1e6 };

beforeEach(async () => {
  store = await s3Double({ reportsChecksum: false });
  checkPace.graceMs = 600_000;
  scene = await assetScene({ storeLimits: { checkPace } });
  await scene.useStore(store);
  heldCount = 0;
});
afterEach(async () => {
  resume?.();
  await scene[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
});

const finalize = (assetId: Id<'asset'>, actor?: Actor) =>
  scene.call('repositories_FinalizeAssetUpload', { assetId }, actor);

/** Uploads a file to the store itself. */
async function uploadDirectly(): Promise<Id<'asset'>> {
  const file = fileOf(1000);
  const assetId = await scene.create(file);
  const { verifiedUrl = '', headers = {} } = await scene.call('repositories_IssueAssetUploadUrl', {
    assetId,
  });
  expect((await callUrl(verifiedUrl, { method: 'PUT', headers, body: file.bytes })).status).toBe(200);
  return assetId;
}

const newMembers = () =>
  Promise.all(
    ['a', 'b', 'c', 'd'].map(async (name) => {
      const member = await scene.hub.user(`${name}@example.org`);
      const { repositoryId } = scene;
      const input = { repositoryId, userId: member.userId };
      await scene.call('repositories_AddRepositoryMember', input, system);
      return member;
    }),
  );

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
  const members = await newMembers();
  const [first, second, ...others] = await Promise.all(Array.from({ length: 6 }, uploadDirectly));
  hold();
  const ofOwner = [first!, second!].map((assetId) => finalize(assetId));
  await vi.waitFor(() => expect(heldCount).toBe(1));
  const ofMembers = others.map((assetId, index) => finalize(assetId, members[index]));
  await vi.waitFor(() => expect(heldCount).toBe(4));
  // An upload that needs no reading waits for none.
  const available = await scene.upload(fileOf(500));
  await finalize(available);
  expect(heldCount).toBe(4);
  resume();
  await Promise.all([...ofOwner, ...ofMembers]);
  expect(heldCount).toBe(6);
});

test('an asset whose bytes were repaired is announced as checked, not as new', async () => {
  const assetId = await uploadDirectly();
  await finalize(assetId);
  const report = { assetId, storageStatus: 'Mismatched', detail: 'It was read.' } as const;
  await scene.hub.executor.run({ actor: system, origin: {} }, ReportAssetCheck, report);
  await finalize(assetId);
  expect((await scene.details(assetId)).storage?.status).toBe('Verified');
  const { repositoryId } = scene;
  const { events } = await scene.call('repositories_QueryAuditLogEvents', { repositoryId });
  expect(events.filter(({ event }) => event === 'repositories_AssetAvailable')).toHaveLength(1);
});

test('stores that trickle hold the turns of verifications for a while only', async () => {
  checkPace.graceMs = 1_000;
  const members = await newMembers();
  let begun = 0;
  const allBegun = Promise.withResolvers<void>();
  store.profile.trickles = true;
  store.profile.sendsAfter = async (key) => {
    if (key.includes('/sha256/') && (begun += 1) === 4) allBegun.resolve();
  };
  const failures = Promise.allSettled(
    members.map(async (member) => finalize(await uploadDirectly(), member)),
  );
  await allBegun.promise;
  const finalized = finalize(await uploadDirectly());
  store.profile.trickles = false;
  await finalized;
  for (const failure of await failures)
    expect(failure).toMatchObject({ status: 'rejected', reason: { kind: 'NotReady' } });
});
