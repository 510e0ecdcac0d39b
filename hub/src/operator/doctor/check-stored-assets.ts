import { ids } from '@corral/contract';
import type { Database } from '../../platform/db/connect.ts';
import { findDamagedAssets } from '../../domains/assets/index.ts';
import { checkOf, type Finding } from './finding.ts';

const { right, wrong } = checkOf('Stored bytes');

/** Whether the last scrubs and downloads found all assets intact; nothing is read from the store. */
export async function checkStoredAssets(db: Database): Promise<Finding[]> {
  const { count, first } = await findDamagedAssets(db);
  if (first === undefined) return [right('No asset is known to be missing or damaged.')];
  const example = `${ids.asset.of(first.asset_id)} of ${first.repository ?? 'a deleted repository'}, ${first.digest}`;
  return [
    wrong(
      `${count === 1 ? 'An asset is' : `${count} assets are`} missing or damaged in the store${count === 1 ? '' : ', such as'}: ${example}. Upload the same file again to repair it.`,
    ),
  ];
}
