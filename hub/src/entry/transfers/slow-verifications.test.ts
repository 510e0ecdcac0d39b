import type { ActionName, Actor, CallInput, Id, Output } from '@corral/contract';
import { expect, onTestFinished, test } from 'vitest';
import { assetScene, callUrl, fileOf } from '../../../test/asset-scene.ts';
import { system } from '../../../test/fresh-executor.ts';
import { doubleOfTest } from '../../../test/two-hubs.ts';

test('stores that trickle hold the turns of verifications for a while only', async () => {
  const store = await doubleOfTest({ reportsChecksum: false });
  const checkPace = { graceMs: 1_000, bytesPerSec: 1e6 };
  const {
    hub,
    owner,
    repositoryId,
    create,
    [Symbol.asyncDispose]: dispose,
  } = await assetScene({
    storeLimits: { checkPace },
  });
  onTestFinished(dispose);
  const as = <Name extends ActionName>(
    actor: Actor,
    name: Name,
    input: CallInput<Name>,
  ): Promise<Output<Name>> => hub.executor.invoke({ actor, origin: {} }, name, input);
  const finalize = (actor: Actor, assetId: Id<'asset'>) =>
    as(actor, 'repositories_FinalizeAssetUpload', { assetId });
  const s3Config = { region: 'us-east-1', ...store.settings };
  await as(owner, 'repositories_SetS3Config', { repositoryId, s3Config });
  const uploaded = async (): Promise<Id<'asset'>> => {
    const file = fileOf(1000);
    const assetId = await create(file);
    const issued = await as(owner, 'repositories_IssueAssetUploadUrl', { assetId });
    const { verifiedUrl = '', headers = {} } = issued;
    expect((await callUrl(verifiedUrl, { method: 'PUT', headers, body: file.bytes })).status).toBe(200);
    return assetId;
  };
  const member = async (name: string): Promise<Actor> => {
    const user = await hub.user(`${name}@example.org`);
    await as(system, 'repositories_AddRepositoryMember', { repositoryId, userId: user.userId });
    return user;
  };
  let begun = 0;
  const allBegun = Promise.withResolvers<void>();
  store.profile.trickles = true;
  store.profile.sendsAfter = async (key) => {
    if (key.includes('/sha256/') && (begun += 1) === 4) allBegun.resolve();
  };
  const slow = ['a', 'b', 'c', 'd'].map(async (name) => finalize(await member(name), await uploaded()));
  const failures = Promise.allSettled(slow);
  await allBegun.promise;
  const waiting = await uploaded();
  const finalized = finalize(owner, waiting);
  store.profile.trickles = false;
  await finalized;
  for (const failure of await failures)
    expect(failure).toMatchObject({ status: 'rejected', reason: { kind: 'NotReady' } });
});
