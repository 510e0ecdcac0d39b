import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Id } from '@corral/contract';
import type { AssetReader } from '../../auth/asset-url.ts';
import { systemCaller, type Answer, type Given } from '../../calls/handler.ts';
import { TransferFailure } from './TransferFailure.ts';
import { refused } from './authorize.ts';
import type { TransfersContext } from './transfers-context.ts';
import { BeginAssetUpload } from '../../domains/assets/internal/BeginAssetUpload.ts';
import { ExtendAssetUpload } from '../../domains/assets/internal/ExtendAssetUpload.ts';
import { ReleaseAssetUpload } from '../../domains/assets/internal/ReleaseAssetUpload.ts';

const ownRetrySecs = 5;
const tooManyRetrySecs = 60;
/** How often a writer that waits asks whether the one before has ended. */
const askEveryMs = 100;

type Begun = Answer<typeof BeginAssetUpload>;

/** What the hub knows about an asset whose bytes come in. */
export type BegunUpload = Extract<Begun, { result: 'Taken' | 'Available' }>;

/** An asset whose bytes the holder of the lease writes. */
export type TakenUpload = Extract<BegunUpload, { result: 'Taken' }>;

/** The right to write the bytes of an asset, held until `release`. */
export interface UploadLease {
  readonly asset: BegunUpload;
  /** Makes the asset available, whose bytes are durable by now. */
  complete(chunkDigests: Buffer): Promise<void>;
  /** Extends the lease, and resolves with false if it has ended. */
  extend(): Promise<boolean>;
  /** Ends the lease; without effect after `complete`. */
  release(): Promise<void>;
}

/** What is uploaded by a URL, and who asked for that. */
export interface UploadTarget {
  readonly assetId: Id<'asset'>;
  /** Undefined for the hub itself, and in URLs of releases before this one. */
  readonly writer: AssetReader | undefined;
}

/** How an asset is leased. */
export interface LeaseOptions {
  /** Whether the bytes come in parts. */
  readonly isInParts?: boolean;
  /** The status for a client that finds another writer. */
  readonly busyStatus: number;
  /** Called when the lease has ended meanwhile. */
  readonly onLost?: (failure: TransferFailure) => void;
}

/**
 * Leases an asset for writing; the lease is extended until it is released. Waits a moment for another writer: one whose connection was lost is ending, and its client is
 * back already. Rejects with a TransferFailure.
 */
export async function leaseUpload(
  context: TransfersContext,
  { assetId, writer }: UploadTarget,
  { isInParts = false, busyStatus, onLost }: LeaseOptions,
): Promise<UploadLease> {
  const { writing, completions } = context;
  const { executor } = context.parts;
  const lease = { assetId, leaseId: randomUUID() };
  const asked = { ...lease, isInParts, writer };
  const begun = await beginWhenFree(context, asked);
  if (begun.result === 'NotFound') throw gone();
  // Who may write again asks for a new URL, and all others learn nothing.
  if (begun.result === 'NotWritable') throw refused('Expired');
  if (begun.result === 'TooMany')
    throw new TransferFailure(429, begun.message, { retryAfterSecs: tooManyRetrySecs });
  if (begun.result === 'Busy') throw busy(busyStatus, begun.retryAfterSecs);
  let isHeld = begun.result === 'Taken';
  if (isHeld) writing.add(assetId);
  const stop = isHeld ? keepLease(context, lease, onLost) : () => undefined;
  const end = (): void => {
    stop();
    if (isHeld) writing.delete(assetId);
    isHeld = false;
  };
  return {
    asset: begun,
    async complete(chunkDigests) {
      const { storeId, storageKey } = begun;
      // The asset may have another place by now if the lease had ended.
      const writtenTo = { storeId, storageKey };
      const upload = { assetId, chunkDigests, storageStatus: 'Verified', writtenTo } as const;
      const result = await completions.ask(upload);
      end();
      if (result === 'NotFound') throw gone();
    },
    extend: async () => isHeld && (await executor.run(systemCaller, ExtendAssetUpload, lease)).isHeld,
    async release() {
      if (isHeld) await executor.run(systemCaller, ReleaseAssetUpload, lease).catch(() => undefined);
      end();
    },
  };
}

async function beginWhenFree(
  { parts, writing, limits, stopping }: TransfersContext,
  lease: Given<typeof BeginAssetUpload>,
): Promise<Begun> {
  const waitsUntilMs = performance.now() + limits.busyWaitMs;
  for (;;) {
    // The lease in the database shows other writers. It ends when the node continues under a new id, although this process may still be writing.
    const begun = writing.has(lease.assetId)
      ? ({ result: 'Busy', retryAfterSecs: ownRetrySecs } as const)
      : await parts.executor.run(systemCaller, BeginAssetUpload, lease);
    if (begun.result !== 'Busy' || stopping.aborted || performance.now() >= waitsUntilMs) return begun;
    await sleep(askEveryMs);
  }
}

function busy(status: number, retryAfterSecs: number): TransferFailure {
  const sentence = 'Another client is uploading this asset; try again when it has ended.';
  return new TransferFailure(status, sentence, { retryAfterSecs });
}

function gone(): TransferFailure {
  return new TransferFailure(410, 'The asset has been deleted. Create it again and ask for a new URL.');
}

function keepLease(
  { parts, limits }: TransfersContext,
  lease: { readonly assetId: Id<'asset'>; readonly leaseId: string },
  onLost: LeaseOptions['onLost'],
): () => void {
  const extend = async (): Promise<void> => {
    const { isHeld } = await parts.executor.run(systemCaller, ExtendAssetUpload, lease);
    if (!isHeld)
      onLost?.(new TransferFailure(409, 'Another client has taken over this upload.', { retryAfterSecs: 1 }));
  };
  // While the database is away the bytes go on: the lease only keeps others waiting.
  const timer = setInterval(() => void extend().catch(() => undefined), limits.extendEveryMs);
  return () => clearInterval(timer);
}
