import type { Executor } from '../../../calls/executor.ts';
import { systemCaller, type Answer } from '../../../calls/handler.ts';
import { StorageError } from '../storage/asset-storage.ts';
import type { Storages } from '../storage/storages.ts';
import {
  checkAgeSecs,
  type ObjectVerdict,
  verifyObject,
  type VerifyOptions,
} from '../storage/verify-object.ts';
import { FindAssetsToCheck } from '../internal/FindAssetsToCheck.ts';
import { ReportAssetCheck } from '../internal/ReportAssetCheck.ts';

/** How long a run begins to read; then it ends with what it has begun, unless the hub stops. */
const maxMs = 20 * 60_000;
/** How many stores the lists of assets may leave out. */
const maxLeftOut = 1000;

/** An asset, and where its bytes are. */
export type StoredAsset = Answer<typeof FindAssetsToCheck>['assets'][number];

interface ScrubParts {
  readonly executor: Executor;
  readonly storages: Storages;
  /** How many bytes one run reads. */
  readonly maxBytes: number;
  /** As in `ScheduledJob.run`. */
  readonly ending?: AbortSignal;
  /** As in `CollectorParts`. */
  readonly stopping?: AbortSignal;
}

/** A run. */
interface Scrub extends ScrubParts {
  /** By the monotonic clock. */
  readonly startedAtMs: number;
  readonly isDiskLeftOut: boolean;
  /** The sentences about assets whose store did not answer. */
  readonly unanswered: Map<string, string>;
  /** The raw ids of the object stores that did not answer. They are not asked again, since each question may take 15 s. A data folder answers at once, and one bad file says nothing about others. */
  readonly silent: Set<string>;
}

/**
 * Checks stored bytes, those first that were checked longest ago: files by reading them, objects by the digest that their store keeps. A run ends with the asset that exceeds what it may read.
 */
export async function scrubAssets(parts: ScrubParts): Promise<void> {
  const isDiskLeftOut = !(await parts.storages.isDiskAuthoritative());
  const startedAtMs = performance.now();
  const scrub: Scrub = { ...parts, startedAtMs, isDiskLeftOut, unanswered: new Map(), silent: new Set() };
  await checkOldest(scrub);
  mustAllBeAnswered(scrub.unanswered);
}

const isOver = ({ ending, maxBytes, startedAtMs }: Scrub, readBytes: number): boolean =>
  readBytes >= maxBytes || performance.now() > startedAtMs + maxMs || ending?.aborted === true;

const isSilent = ({ silent }: Scrub, { storeId }: StoredAsset): boolean =>
  storeId !== undefined && silent.has(storeId);

const leftOutOf = ({ isDiskLeftOut, silent }: Scrub) => ({
  isDiskLeftOut,
  leftOutStoreIds: [...silent].slice(0, maxLeftOut),
});

async function checkOldest(scrub: Scrub): Promise<void> {
  const { executor, startedAtMs, unanswered } = scrub;
  for (let readBytes = 0; ;) {
    const { assets } = await executor.run(systemCaller, FindAssetsToCheck, {
      ageSecs: checkAgeSecs,
      unansweredAgeMs: Math.floor(performance.now() - startedAtMs),
      ...leftOutOf(scrub),
    });
    // By the clock of the database, what this run has just asked may seem due again.
    const due = assets.filter((asset) => !unanswered.has(asset.assetId) && !isSilent(scrub, asset));
    if (due.length === 0) return;
    for (const asset of due) {
      if (isOver(scrub, readBytes)) return;
      if (!isSilent(scrub, asset)) readBytes += await check(scrub, asset);
    }
  }
}

function mustAllBeAnswered(unanswered: ReadonlyMap<string, string>): void {
  const [first] = unanswered.values();
  if (first !== undefined)
    throw new Error(
      `The bytes of ${unanswered.size === 1 ? 'one asset' : `${unanswered.size} assets`} could not be checked: ${first} Check the object store.`,
    );
}

/** Resolves with the bytes that were read. A check that ends with the run says nothing about the asset. */
async function check(
  { executor, storages, ending, stopping, unanswered, silent }: Scrub,
  asset: StoredAsset,
): Promise<number> {
  const signals = [ending, stopping].filter((one) => one !== undefined);
  const signal = AbortSignal.any(signals);
  const verdict = await checkStored(storages, asset, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
    return undefined;
  });
  stopping?.throwIfAborted();
  if (verdict === undefined || signal.aborted) return 0;
  if (verdict.status === 'Error') {
    unanswered.set(asset.assetId, verdict.detail);
    if (asset.storeId !== undefined) silent.add(asset.storeId);
  }
  await reportVerdict(executor, asset, verdict);
  return 'chunkDigests' in verdict ? asset.size : 0;
}

/** What the check of an asset found; `Error` if its store did not answer. */
export type StoredVerdict = ObjectVerdict | { readonly status: 'Error'; readonly detail: string };

/** Checks the stored bytes of an asset. */
export async function checkStored(
  storages: Storages,
  { storeId, storageKey, size, digest }: StoredAsset,
  options: VerifyOptions = {},
): Promise<StoredVerdict> {
  const expected = { sizeBytes: size, digest: Buffer.from(digest.slice('sha256_'.length), 'hex') };
  try {
    return await verifyObject(await storages.of(storeId ?? null), storageKey, expected, options);
  } catch (error) {
    if (error instanceof StorageError) return { status: 'Error', detail: error.message };
    throw error;
  }
}

/** Records what a check found, unless the asset is not any more as it was given here; newly found damage is announced. */
export async function reportVerdict(
  executor: Executor,
  asset: StoredAsset | Pick<StoredAsset, 'assetId'>,
  verdict: StoredVerdict,
): Promise<void> {
  await executor.run(systemCaller, ReportAssetCheck, {
    assetId: asset.assetId,
    storageStatus: verdict.status,
    ...('storageKey' in asset ? { seen: placeOf(asset) } : {}),
    ...('detail' in verdict ? { detail: verdict.detail } : {}),
    chunkDigests: 'chunkDigests' in verdict ? verdict.chunkDigests : undefined,
  });
}

const placeOf = ({ storeId, storageKey, checkedAt }: StoredAsset) => ({ storeId, storageKey, checkedAt });
