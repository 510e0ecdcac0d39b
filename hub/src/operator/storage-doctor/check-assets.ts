import { ids } from '@corral/contract';
import type { Progress } from '../backup/progress.ts';
import type { Storages } from '../../domains/assets/storage/storages.ts';
import { forEachConcurrently } from '../../platform/concurrency/for-each-concurrently.ts';
import { checkStored, reportVerdict, type StoredVerdict } from '../../domains/assets/jobs/scrub-assets.ts';
import {
  countAssets,
  listAvailableAssets,
  toStored,
  type StoredAsset,
  findStoredAsset,
} from '../../domains/assets/index.ts';
import { checkOf } from '../doctor/finding.ts';
import type { StorageDoctor } from './storage-doctor.ts';
import { counted, examplesOf, findingsOf, type StorageFinding } from './report.ts';
import { Tallies } from './tally.ts';

const check = 'Stored bytes';
const { right, wrong, unchecked } = checkOf(check);
/** How many assets are checked at the same time. */
const concurrency = 8;
/** After so many missing answers of a store, its other assets are not checked. */
const maxUnanswered = 16;

type Kind = 'Missing' | 'Mismatched' | 'Healed' | 'Unanswered';

interface Checking extends StorageDoctor {
  readonly tallies: Tallies<Kind>;
  /** The number of missing answers of each store. */
  readonly unanswered: Map<string | null, number>;
}

/** Checks that the stores have the bytes of all available assets. */
export async function checkAssets(doctor: StorageDoctor, progress: Progress): Promise<StorageFinding[]> {
  const { db, storages } = doctor;
  const checking: Checking = { ...doctor, tallies: new Tallies(), unanswered: new Map() };
  const { count, onDisk } = await countAssets(db);
  // With the wrong data folder, all assets would be reported as missing.
  const isFolderEmpty = onDisk > 0 && !doctor.isFolderLost && !(await storages.disk.hasObjects());
  if (isFolderEmpty) checking.unanswered.set(null, maxUnanswered);
  progress.step('Assets', count, String);
  for (let after = ''; ;) {
    const page = await listAvailableAssets(db, after);
    await forEachConcurrently(page, concurrency, async (asset) => {
      await checkAsset(checking, asset);
      progress.add(1);
    });
    const last = page.at(-1);
    if (last === undefined) break;
    after = last.asset_id;
  }
  progress.end();
  return findings(checking, count, isFolderEmpty);
}

async function checkAsset(checking: Checking, asset: StoredAsset): Promise<void> {
  const { executor, tallies, unanswered, mode } = checking;
  const failures = unanswered.get(asset.store_id) ?? 0;
  const name = ids.asset.of(asset.asset_id);
  if (failures >= maxUnanswered) return tallies.add('Unanswered', name);
  const confirmed = await confirmedVerdict(checking, asset);
  if (confirmed === undefined) return undefined;
  const { verdict, checked } = confirmed;
  if (verdict.status === 'Error') {
    unanswered.set(asset.store_id, failures + 1);
    return tallies.add('Unanswered', `${name} (${verdict.detail})`);
  }
  if (verdict.status === 'Missing' || verdict.status === 'Mismatched') tallies.add(verdict.status, name);
  else if (isRecordedDamage(asset)) tallies.add('Healed', name);
  const isNewStatus = verdict.status !== asset.storage_status && verdict.status !== 'Present';
  if (mode === 'fix' && isNewStatus) await reportVerdict(executor, toStored(checked), verdict);
  return undefined;
}

const isRecordedDamage = ({ storage_status: status }: StoredAsset): boolean =>
  status === 'Missing' || status === 'Mismatched' || status === 'Error';

/** Checks a damaged asset twice, because it may have been deleted or repaired meanwhile; undefined if it is not available any more. */
async function confirmedVerdict(
  checking: Checking,
  asset: StoredAsset,
): Promise<{ readonly verdict: StoredVerdict; readonly checked: StoredAsset } | undefined> {
  const verdict = await verdictOn(checking, asset);
  if (verdict.status !== 'Missing' && verdict.status !== 'Mismatched') return { verdict, checked: asset };
  const now = await findStoredAsset(checking.db, asset.asset_id);
  if (now?.status !== 'Available') return undefined;
  return { verdict: await verdictOn(checking, now), checked: now };
}

/** Reads the bytes of an asset that is recorded as damaged in any case, because its size proves too little. */
const verdictOn = ({ storages, isReading }: StorageDoctor, asset: StoredAsset): Promise<StoredVerdict> =>
  checkStored(storages, toStored(asset), { isSizeEnough: !isReading && !isRecordedDamage(asset) });

const healMessage = 'Upload the same file again to heal each.';

/** The sentence about assets that are probably in another data folder. */
function elsewhereMessage({ mayKeepOnDisk }: Storages, count: number): string {
  const notChecked = `${counted(count, 'asset was', 'assets were')} not checked.`;
  return mayKeepOnDisk
    ? `The data folder has no object of an asset: is CORRAL_DATA_DIR that of the hub? If the assets are lost, --data-folder-lost reports them as missing. ${notChecked}`
    : `The data folder of this node has no object of an asset: those from before the cluster are on the node that was the only hub then, so run the command there. If it is gone for good, --data-folder-lost reports them as missing. ${notChecked}`;
}

function findings(
  { tallies, mode, isReading, storages }: Checking,
  count: number,
  isFolderEmpty: boolean,
): StorageFinding[] {
  const damaged = (['Missing', 'Mismatched'] as const).flatMap((kind) => {
    const tally = tallies.of(kind);
    if (tally.count === 0) return [];
    const what = kind === 'Missing' ? 'without bytes in the store' : 'whose bytes do not match their digest';
    const done = { report: '', 'dry-run': '--fix would record that. ', fix: 'That is recorded. ' }[mode];
    const text = `There ${tally.count === 1 ? 'is' : 'are'} ${counted(tally.count, 'asset', 'assets')} ${what}: ${examplesOf(tally)}. ${done}${healMessage}`;
    return [{ ...wrong(text), ...tally }];
  });
  const healed = findingsOf(
    {
      check,
      found: (n) => `${counted(n, 'asset is', 'assets are')} recorded as damaged, but whole`,
      fix: 'record that',
      fixed: 'That is recorded.',
    },
    tallies.of('Healed'),
    mode,
  );
  const open = tallies.of('Unanswered');
  const why = isFolderEmpty
    ? elsewhereMessage(storages, open.count)
    : `The stores did not answer about ${counted(open.count, 'asset', 'assets')}: ${examplesOf(open)}.`;
  const all = [...damaged, ...healed, ...(open.count === 0 ? [] : [{ ...unchecked(why), ...open }])];
  if (all.length > 0) return all;
  const how = isReading
    ? 'by their bytes or the digest of the store'
    : 'by their size or the digest of the store';
  const text = `${counted(count, 'asset was', 'assets were')} checked ${how}; nothing is missing or damaged.`;
  return [{ ...right(text), count: 0, examples: [] }];
}
