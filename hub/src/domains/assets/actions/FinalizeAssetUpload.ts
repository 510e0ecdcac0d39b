import { ActionError, ids } from '@corral/contract';
import { deleteWrongObject } from '../storage/delete-wrong-object.ts';
import { type ObjectVerdict, verifyObject } from '../storage/verify-object.ts';
import { newRawId } from '../../../auth/random.ts';
import type { Handler, HandlerContext } from '../../../calls/handler.ts';
import { callerKey, placesOf } from '../../../limits/limit.ts';
import { limits } from '../../../limits/table.ts';
import { mustWriteAsset } from '../../repositories/index.ts';
import { recordCheck } from '../sql/asset-checks.ts';
import { beginUpload, completeUploads, extendUpload, releaseUpload } from '../sql/asset-uploads.ts';
import { digestBytes, type StoredAsset } from '../sql/assets.ts';
import { announceCompleted } from '../sql/completed-assets.ts';

type Context = HandlerContext<'repositories_FinalizeAssetUpload'>;
type Verified = Extract<ObjectVerdict, { status: 'Verified' | 'Present' }> & { readonly asset: StoredAsset };

/** Undefined if the asset was available already. */
type Prepared = Verified | undefined;

const verifications = placesOf(limits.verifications);
const extendEveryMs = 10_000;
/** When to ask again while the asset is verified for another call: the lease is extended until that is done. */
const mostWaitSecs = 3;

/** Verifies the bytes that a client has uploaded to the store itself, or that a crash left without their asset becoming available. */
export const FinalizeAssetUpload: Handler<'repositories_FinalizeAssetUpload', Prepared, Prepared> = {
  // Reading large objects takes minutes, during which no transaction may be open.
  async prepare(context) {
    const { tx, actor, input, nodeId, now } = context;
    await mustWriteAsset(tx, actor, input.assetId);
    const lease = { assetId: ids.asset.raw(input.assetId), leaseId: newRawId(), nodeId, now };
    const asset = await beginUpload(tx, lease);
    if (asset?.status === 'Available' && !asset.is_taken) return undefined;
    mustBeTaken(asset);
    const startedAtMs = performance.now();
    const extendLease = (): Promise<boolean> =>
      extendUpload(tx, { ...lease, now: new Date(now.getTime() + performance.now() - startedAtMs) });
    const beat = setInterval(() => void extendLease().catch(() => undefined), extendEveryMs);
    try {
      return await verify(context, asset, extendLease);
    } catch (error) {
      await releaseUpload(tx, lease);
      throw error;
    } finally {
      clearInterval(beat);
    }
  },

  async authorize({ tx, actor, input }, verified) {
    await mustWriteAsset(tx, actor, input.assetId);
    return verified;
  },

  async run({ tx, input, now, emit }, verified) {
    if (verified === undefined) return {};
    const completion = {
      assetId: ids.asset.raw(input.assetId),
      chunkDigests: 'chunkDigests' in verified ? verified.chunkDigests : undefined,
      storageStatus: verified.status,
      writtenTo: {
        storeId: verified.asset.store_id ?? undefined,
        storageKey: verified.asset.storage_key,
      },
    };
    const [completed] = await completeUploads(tx, [completion], now);
    if (completed === undefined) throw beingDeleted();
    announceCompleted(emit, completed);
    return {};
  },
};

type Begun = Awaited<ReturnType<typeof beginUpload>>;

function mustBeTaken(asset: Begun): asserts asset is NonNullable<Begun> {
  if (asset === undefined || asset.status === 'Deleting') throw beingDeleted();
  if (asset.is_taken) return;
  throw busy(Math.min(asset.waitSecs, mostWaitSecs));
}

function busy(retryAfterSecs: number): ActionError {
  const sentence = 'The asset is being uploaded or verified already; try again in a moment.';
  return new ActionError('NotReady', sentence, { retryAfterSecs });
}

function beingDeleted(): ActionError {
  return new ActionError('Invalid', 'The asset is being deleted; create it again and upload it then.');
}

async function verify(
  context: Context,
  asset: StoredAsset,
  extendLease: () => Promise<boolean>,
): Promise<Verified> {
  const storage = await context.storages.of(asset.store_id);
  const expected = { sizeBytes: asset.size, digest: digestBytes(asset.digest) };
  const verdict = await verifyObject(storage, asset.storage_key, expected, {
    inTurn: (read) => verifications.run({ caller: callerKey(context) }, read),
  });
  if (verdict.status === 'Verified' || verdict.status === 'Present') {
    await storage.makeDurable?.(asset.storage_key);
    return { ...verdict, asset };
  }
  if (verdict.status === 'Missing')
    throw new ActionError(
      'Invalid',
      'The bytes of the asset have not been uploaded yet; upload them, then finalize.',
    );
  const { assetId } = context.input;
  if (asset.status === 'Dangling')
    await deleteWrongObject(storage, { storageKey: asset.storage_key, assetId, extendLease });
  const { detail } = verdict;
  const mismatch = { assetId: asset.asset_id, storageStatus: 'Mismatched', detail, seen: asset } as const;
  await recordCheck(context.tx, { ...mismatch, now: context.now });
  throw new ActionError(
    'Invalid',
    `The uploaded bytes are not the announced ones: ${verdict.detail} Upload them again.`,
  );
}
