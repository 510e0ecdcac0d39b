import type { Actor, Output } from '@corral/contract';
import { StorageError } from '../assets/asset-storage.ts';
import type { Storages } from '../assets/storages.ts';
import { verifyObject, type ObjectVerdict, type VerifyOptions } from '../assets/verify-object.ts';
import type { Executor } from '../executor/executor.ts';

const system: Actor = { actor: 'System', kind: 'System' };
const caller = { actor: system, origin: {} };
/** Everything is checked once a day, as far as the budget allows. */
const ageSecs = 20 * 3600;
/** A run ends long before the queue takes it for lost. */
const maxMs = 20 * 60_000;

/** An asset, and where its bytes are. */
export type StoredAsset = Output<'repositories_FindAssetsToCheck'>['assets'][number];

interface ScrubNeeds {
  readonly executor: Executor;
  readonly storages: Storages;
  /** How many bytes one run reads. */
  readonly maxBytes: number;
}

/** Checks stored bytes, those that were checked longest ago first: files by reading them, objects by the digest that their store keeps. */
export async function scrubAssets({ executor, storages, maxBytes }: ScrubNeeds): Promise<void> {
  const endsAtMs = performance.now() + maxMs;
  const unanswered = new Map<string, string>();
  const isDiskLeftOut = !(await storages.isDiskAuthoritative());
  for (let readBytes = 0; ;) {
    const { assets } = await executor.invoke(caller, 'repositories_FindAssetsToCheck', {
      ageSecs,
      isDiskLeftOut,
    });
    if (assets.length === 0) break;
    for (const asset of assets) {
      if (readBytes >= maxBytes || performance.now() > endsAtMs) return requireAllAnswered(unanswered);
      readBytes += await check(executor, storages, asset, unanswered);
    }
  }
  requireAllAnswered(unanswered);
}

function requireAllAnswered(unanswered: ReadonlyMap<string, string>): void {
  const [first] = unanswered.values();
  if (first !== undefined)
    throw new Error(
      `The bytes of ${unanswered.size} assets could not be checked: ${first} See to the store.`,
    );
}

/** Resolves with the bytes that were read. */
async function check(
  executor: Executor,
  storages: Storages,
  asset: StoredAsset,
  unanswered: Map<string, string>,
): Promise<number> {
  const verdict = await checkStored(storages, asset);
  if (verdict.status === 'Error') unanswered.set(asset.assetId, verdict.detail);
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

/** Records what a check found; newly found damage is announced. */
export async function reportVerdict(
  executor: Executor,
  { assetId }: Pick<StoredAsset, 'assetId'>,
  verdict: StoredVerdict,
): Promise<void> {
  const chunks = 'chunkDigests' in verdict ? verdict.chunkDigests : undefined;
  await executor.invoke(caller, 'repositories_ReportAssetCheck', {
    assetId,
    storageStatus: verdict.status,
    ...('detail' in verdict ? { detail: verdict.detail } : {}),
    ...(chunks === undefined ? {} : { chunkDigests: chunks.toString('base64') }),
  });
}
