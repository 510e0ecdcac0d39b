import { ids } from '@corral/contract';
import { newRawId } from '../../auth/random.ts';
import type { Executor } from '../../calls/executor.ts';
import { systemCaller, type Answer } from '../../calls/handler.ts';
import { countAssets, digestBytes, listMovableAssets, type StoredAsset } from '../../domains/assets/index.ts';
import { endLease, keepLeased } from '../../domains/assets/jobs/keep-leased.ts';
import { damageFaults, StorageError } from '../../domains/assets/storage/asset-storage.ts';
import type { Storages } from '../../domains/assets/storage/storages.ts';
import { forEachConcurrently } from '../../platform/concurrency/for-each-concurrently.ts';
import type { Database } from '../../platform/db/connect.ts';
import type { Progress } from '../backup/progress.ts';
import { checkOf } from '../doctor/finding.ts';
import { counted, examplesOf, type StorageFinding } from './report.ts';
import { Tallies } from './tally.ts';
import { BeginAssetUpload } from '../../domains/assets/internal/BeginAssetUpload.ts';
import { CompleteAssetUploads } from '../../domains/assets/internal/CompleteAssetUploads.ts';

/** The dependencies of a move; upload leases prevent conflicts with running hubs. */
export interface MoveParts {
  readonly db: Database;
  readonly executor: Executor;
  readonly storages: Storages;
}

interface Move extends MoveParts {
  readonly tallies: Tallies<'Moved' | 'Damaged' | 'Failed'>;
}

type TakenUpload = Extract<Answer<typeof BeginAssetUpload>, { result: 'Taken' }>;

const { right, wrong } = checkOf('Data folder');
const concurrency = 4;
/** After so many failures the move stops. */
const maxFailures = 16;

/** Copies the assets of the data folder to the object stores of their repositories, verifies the copies, and records the new place. */
export async function moveAssets(parts: MoveParts, progress: Progress): Promise<StorageFinding[]> {
  const moving: Move = { ...parts, tallies: new Tallies() };
  const { tallies, db } = moving;
  progress.step('Assets', (await countAssets(db)).onDisk, String);
  for (let after: string | undefined = ''; after !== undefined;) {
    const page = await listMovableAssets(db, after);
    await forEachConcurrently(page, concurrency, async (asset) => {
      if (tallies.of('Failed').count < maxFailures) await moveOrTally(moving, asset);
      progress.add(1);
    });
    after = tallies.of('Failed').count < maxFailures ? page.at(-1)?.asset_id : undefined;
  }
  progress.end();
  return findings(moving, (await countAssets(db)).onDisk);
}

async function moveOrTally(moving: Move, asset: StoredAsset): Promise<void> {
  const { tallies } = moving;
  const name = ids.asset.of(asset.asset_id);
  try {
    if (await move(moving, asset)) tallies.add('Moved', name);
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    tallies.add(damageFaults.has(error.fault) ? 'Damaged' : 'Failed', `${name} (${error.message})`);
  }
}

/** Resolves with false if the asset was moved or deleted meanwhile, or is being uploaded. */
async function move({ executor, storages }: Move, asset: StoredAsset): Promise<boolean> {
  const lease = { assetId: ids.asset.of(asset.asset_id), leaseId: newRawId() };
  const askedAtMs = performance.now();
  const begun = await executor.run(systemCaller, BeginAssetUpload, {
    ...lease,
    isMove: true,
  });
  if (begun.result !== 'Taken') return false;
  const kept = keepLeased(executor, lease, askedAtMs);
  try {
    const chunkDigests = await copy(storages, asset.storage_key, begun);
    const { assetId } = lease;
    const { storeId, storageKey } = begun;
    const moved = {
      assetId,
      chunkDigests,
      storageStatus: 'Verified',
      writtenTo: { storeId, storageKey },
    } as const;
    const input = { uploads: [moved] };
    const { results } = await executor.run(systemCaller, CompleteAssetUploads, input);
    return results[0] === 'Completed';
  } catch (error) {
    await endLease(executor, lease);
    throw error;
  } finally {
    kept.stop();
  }
}

/** Resolves with the concatenated digests of each MiB. */
async function copy(storages: Storages, from: string, to: TakenUpload): Promise<Buffer> {
  const { assetId, replaces, size: sizeBytes, digest } = to;
  const store = await storages.of(to.storeId ?? null);
  const expected = { sizeBytes, digest: digestBytes(digest) };
  const options = { signal: new AbortController().signal, assetId, replaces };
  const bytes = await storages.disk.read(from);
  const { chunkDigests } = await store.write(to.storageKey, bytes, expected, options);
  return chunkDigests;
}

function findings({ tallies }: Move, left: number): StorageFinding[] {
  const [moved, damaged, failed] = [tallies.of('Moved'), tallies.of('Damaged'), tallies.of('Failed')];
  const done = `${counted(moved.count, 'asset was', 'assets were')} moved to object stores. The files that they had are deleted by the next sweep of this data folder, or by storage doctor --fix.`;
  const open = left - damaged.count - failed.count;
  const staying = `${counted(open, 'asset stays', 'assets stay')} in the data folder, since their repositories have no object store, or somebody uploads them.`;
  const [lost, unsaved] = [
    `The files of ${counted(damaged.count, 'asset are', 'assets are')} missing or damaged: ${examplesOf(damaged)}. Upload the same files again.`,
    `${counted(failed.count, 'asset', 'assets')} could not be stored: ${examplesOf(failed)}. What is left is moved when the command is run again.`,
  ];
  return [
    { ...right(moved.count === 0 ? 'No asset was moved to an object store.' : done), ...moved },
    ...(damaged.count === 0 ? [] : [{ ...wrong(lost), ...damaged }]),
    ...(failed.count === 0 ? [] : [{ ...wrong(unsaved), ...failed }]),
    ...(open <= 0 ? [] : [{ ...right(staying), count: open, examples: [] }]),
  ];
}
