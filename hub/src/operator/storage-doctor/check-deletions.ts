import { ids } from '@corral/contract';
import { deleteMarkedAssets } from '../../domains/assets/jobs/collect-assets.ts';
import { findStuckDeletions } from '../../domains/assets/index.ts';
import { checkOf, messageOf } from '../doctor/finding.ts';
import { counted, findingsOf, type StorageFinding } from './report.ts';
import type { StorageDoctor } from './storage-doctor.ts';

const check = 'Deletions';
const { right, wrong } = checkOf(check);
/** The job that deletes them runs every ten minutes. */
const stuckAfterMs = 3_600_000;

/** Checks that the bytes of deleted assets are removed; with `fix`, removes the bytes of all assets marked for deletion. */
export async function checkDeletions(doctor: StorageDoctor): Promise<StorageFinding[]> {
  const { mode } = doctor;
  const before = await findStuck(doctor);
  if (mode !== 'fix') return before.count === 0 ? [none()] : found(doctor, before);
  const problem = await deleteMarkedAssets(doctor).then(() => undefined, messageOf);
  const after = await findStuck(doctor);
  if (problem !== undefined || after.count > 0) {
    const text =
      problem ?? `${undeletedText(after.count)}: a backup is running, or files still refer to them.`;
    return [{ ...wrong(text), ...after }];
  }
  return before.count === 0 ? [none()] : found(doctor, before);
}

const undeletedText = (n: number): string =>
  `${counted(n, 'deleted asset was', 'deleted assets were')} not removed from the store`;

async function findStuck({ db, now }: StorageDoctor) {
  const { count, assetIds } = await findStuckDeletions(db, new Date(now().getTime() - stuckAfterMs));
  return { count, examples: assetIds.map((assetId) => ids.asset.of(assetId)) };
}

const none = (): StorageFinding => ({
  ...right('No deleted asset is left in the stores for longer than an hour.'),
  count: 0,
  examples: [],
});

function found({ mode }: StorageDoctor, tally: Awaited<ReturnType<typeof findStuck>>): StorageFinding[] {
  const words = { check, found: undeletedText, fix: 'delete them', fixed: 'They are deleted.' };
  return findingsOf(words, tally, mode);
}
