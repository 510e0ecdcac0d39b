import { ids } from '@corral/contract';
import { StorageError, unfinishedUploadMs } from '../../assets/asset-storage.ts';
import type { Progress } from '../../backup/progress.ts';
import { findLeftovers, type Leftover, type LeftoverNeeds } from '../../jobs/leftovers.ts';
import { removeLeftover } from '../../jobs/remove-leftover.ts';
import { checkStored } from '../../jobs/scrub-assets.ts';
import { countAssets } from '../../store/asset-checks.ts';
import { findStoredAsset } from '../../store/asset-uploads.ts';
import { toStored } from '../../store/assets.ts';
import { checkOf } from '../doctor/finding.ts';
import { counted, examplesOf, findingsOf, type Sentences, type StorageFinding } from './report.ts';
import type { StorageDoctor } from './storage-doctor.ts';
import { Tallies } from './tally.ts';

const { right, wrong, unchecked } = checkOf('Leftovers');

type Removable = Exclude<Leftover['kind'], 'SilentStore'>;
type Kind = Leftover['kind'] | 'Failed';

const sentences: Readonly<Record<Removable, Sentences>> = {
  UnfinishedWrites: {
    check: 'Unfinished writes',
    found: (n) => `${counted(n, 'file is', 'files are')} left of writes that did not end`,
    fix: 'delete them',
    fixed: 'They are deleted.',
  },
  UnfinishedUpload: {
    check: 'Unfinished uploads',
    found: (n) =>
      `${counted(n, 'upload in the data folder was', 'uploads in the data folder were')} given up`,
    fix: 'delete what arrived of them',
    fixed: 'What arrived of them is deleted.',
  },
  UnknownParts: {
    check: 'Unfinished uploads',
    found: (n) => `${counted(n, 'upload in parts is', 'uploads in parts are')} not needed by any asset`,
    fix: 'abort them',
    fixed: 'They are aborted.',
  },
  HelperObject: {
    check: 'Objects',
    found: (n) => `${counted(n, 'object is', 'objects are')} left of checks and uploads`,
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

/** Checks what crashes left behind in the stores. */
export async function checkLeftovers(doctor: StorageDoctor, progress: Progress): Promise<StorageFinding[]> {
  const { executor, storages, db, mode } = doctor;
  const { count } = await countAssets(db);
  progress.step('Objects', count, String);
  const before = new Date(doctor.now().getTime() - unfinishedUploadMs);
  const needs = { executor, storages, before, onListed: (n: number) => progress.add(n) };
  const tallies = new Tallies<Kind>();
  for await (const leftover of findLeftovers(needs)) {
    if (leftover.kind === 'SilentStore') tallies.add('SilentStore', leftover.why);
    else if (leftover.kind !== 'UnfinishedAsset' || (await isWhole(doctor, leftover)))
      await (mode === 'fix' ? remove(needs, leftover, tallies) : add(tallies, leftover));
  }
  progress.end();
  return findings(tallies, doctor);
}

async function isWhole(
  { db, storages, isReading }: StorageDoctor,
  { assetId }: Extract<Leftover, { kind: 'UnfinishedAsset' }>,
): Promise<boolean> {
  const asset = await findStoredAsset(db, ids.asset.raw(assetId));
  if (asset === undefined) return false;
  const verdict = await checkStored(storages, toStored(asset), { isSizeEnough: !isReading });
  return verdict.status === 'Verified' || verdict.status === 'Present';
}

async function remove(needs: LeftoverNeeds, leftover: Leftover, tallies: Tallies<Kind>): Promise<void> {
  try {
    if (await removeLeftover(needs, leftover)) add(tallies, leftover);
    else tallies.add('Failed', nameOf(leftover));
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    tallies.add('Failed', `${nameOf(leftover)} (${error.message})`);
  }
}

function add(tallies: Tallies<Kind>, leftover: Leftover): void {
  tallies.add(leftover.kind, nameOf(leftover), leftover.kind === 'UnfinishedWrites' ? leftover.files : 1);
}

function nameOf(leftover: Leftover): string {
  switch (leftover.kind) {
    case 'UnfinishedWrites':
      return 'below assets/tmp';
    case 'UnfinishedUpload':
      return leftover.uploadId;
    case 'UnfinishedAsset':
      return leftover.assetId;
    case 'SilentStore':
      return leftover.why;
    default:
      return leftover.storageKey;
  }
}

function findings(tallies: Tallies<Kind>, { mode }: StorageDoctor): StorageFinding[] {
  const kinds = Object.entries(sentences) as [Removable, Sentences][];
  const found = kinds.flatMap(([kind, words]) => findingsOf(words, tallies.of(kind), mode));
  const [failed, silent] = [tallies.of('Failed'), tallies.of('SilentStore')];
  const open = [
    ...(failed.count === 0
      ? []
      : [{ ...wrong(`${failed.count} could not be repaired: ${examplesOf(failed)}.`), ...failed }]),
    ...(silent.count === 0
      ? []
      : [{ ...unchecked(`Not all stores could be listed: ${examplesOf(silent)}`), ...silent }]),
  ];
  if (found.length + open.length > 0) return [...found, ...open];
  return [{ ...right('Crashes and given up uploads left nothing behind.'), count: 0, examples: [] }];
}
