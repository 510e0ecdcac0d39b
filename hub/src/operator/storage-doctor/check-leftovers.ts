import { ids } from '@corral/contract';
import { StorageError, unfinishedUploadMs } from '../../domains/assets/storage/asset-storage.ts';
import type { Progress } from '../backup/progress.ts';
import {
  findLeftovers,
  type Leftover,
  type LeftoverParts,
  type UnlistedStores,
} from '../../domains/assets/jobs/leftovers.ts';
import { removeLeftover } from '../../domains/assets/jobs/remove-leftover.ts';
import { checkStored } from '../../domains/assets/jobs/scrub-assets.ts';
import { countAssets, findStoredAsset, toStored } from '../../domains/assets/index.ts';
import { checkOf } from '../doctor/finding.ts';
import { counted, examplesOf, findingsOf, type Sentences, type StorageFinding } from './report.ts';
import type { StorageDoctor } from './storage-doctor.ts';
import { Tallies } from './tally.ts';

const { right, wrong, unchecked } = checkOf('Leftovers');

type Kind = (Leftover | UnlistedStores)['kind'] | 'Failed';

const sentences: Readonly<Record<Leftover['kind'], Sentences>> = {
  UnfinishedUpload: {
    check: 'Unfinished uploads',
    found: (n) =>
      `${counted(n, 'upload in the data folder was', 'uploads in the data folder were')} abandoned`,
    fix: 'delete the bytes that arrived',
    fixed: 'The bytes that arrived are deleted.',
  },
  OrphanedParts: {
    check: 'Unfinished uploads',
    found: (n) => `${counted(n, 'upload in parts is', 'uploads in parts are')} not needed by any asset`,
    fix: 'abort them',
    fixed: 'They are aborted.',
  },
  TemporaryObject: {
    check: 'Objects',
    found: (n) => `${counted(n, 'object is', 'objects are')} left over from probes`,
    fix: 'delete them',
    fixed: 'They are deleted.',
  },
  StrayObject: {
    check: 'Objects',
    found: (n) => `${counted(n, 'object belongs', 'objects belong')} to no asset`,
    fix: 'delete them',
    fixed: 'They are marked for deletion.',
  },
  UnfinishedAsset: {
    check: 'Uploads',
    found: (n) => `${counted(n, 'asset has', 'assets have')} all its bytes, but did not become available`,
    fix: 'finish the upload',
    fixed: 'The upload is finished.',
  },
};

/** Reports what crashes and abandoned uploads left in the stores; with `fix`, removes it. */
export async function checkLeftovers(doctor: StorageDoctor, progress: Progress): Promise<StorageFinding[]> {
  const { executor, storages, db, mode } = doctor;
  const { count } = await countAssets(db);
  progress.step('Objects', count, String);
  const before = new Date(doctor.now().getTime() - unfinishedUploadMs);
  const parts = { executor, storages, before, onListed: async (n: number) => progress.add(n) };
  const tallies = new Tallies<Kind>();
  for await (const found of findLeftovers(parts)) {
    if ('why' in found) tallies.add(found.kind, found.why);
    else if (found.kind !== 'UnfinishedAsset' || (await isComplete(doctor, found)))
      await (mode === 'fix' ? remove(parts, found, tallies) : add(tallies, found));
  }
  progress.end();
  return findings(tallies, doctor);
}

async function isComplete(
  { db, storages, isReading }: StorageDoctor,
  { assetId }: Extract<Leftover, { kind: 'UnfinishedAsset' }>,
): Promise<boolean> {
  const asset = await findStoredAsset(db, ids.asset.raw(assetId));
  if (asset === undefined) return false;
  const verdict = await checkStored(storages, toStored(asset), { isSizeEnough: !isReading });
  return verdict.status === 'Verified' || verdict.status === 'Present';
}

async function remove(parts: LeftoverParts, leftover: Leftover, tallies: Tallies<Kind>): Promise<void> {
  try {
    if (await removeLeftover(parts, leftover)) add(tallies, leftover);
    else tallies.add('Failed', nameOf(leftover));
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    tallies.add('Failed', `${nameOf(leftover)} (${error.message})`);
  }
}

function add(tallies: Tallies<Kind>, leftover: Leftover): void {
  tallies.add(leftover.kind, nameOf(leftover));
}

function nameOf(leftover: Leftover): string {
  switch (leftover.kind) {
    case 'UnfinishedUpload':
      return leftover.uploadId;
    case 'UnfinishedAsset':
      return leftover.assetId;
    default:
      return leftover.storageKey;
  }
}

function findings(tallies: Tallies<Kind>, { mode }: StorageDoctor): StorageFinding[] {
  const kinds = Object.entries(sentences) as [Leftover['kind'], Sentences][];
  const found = kinds.flatMap(([kind, words]) => findingsOf(words, tallies.of(kind), mode));
  const [failed, unreachable] = [tallies.of('Failed'), tallies.of('UnreachableStore')];
  const unclaimed = tallies.of('UnclaimedStores');
  const open = [
    ...(failed.count === 0
      ? []
      : [{ ...wrong(`${failed.count} could not be repaired: ${examplesOf(failed)}.`), ...failed }]),
    ...(unreachable.count === 0
      ? []
      : [{ ...unchecked(`Not all stores could be listed: ${examplesOf(unreachable)}`), ...unreachable }]),
    ...(unclaimed.count === 0 ? [] : [{ ...unchecked(examplesOf(unclaimed)), ...unclaimed }]),
  ];
  if (found.length + open.length > 0) return [...found, ...open];
  return [{ ...right('Crashes and abandoned uploads left nothing behind.'), count: 0, examples: [] }];
}
