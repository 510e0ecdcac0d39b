import type { Executor } from '../../calls/executor.ts';
import { systemCaller } from '../../calls/handler.ts';
import { bucketsText } from '../../domains/assets/storage/unclaimed-messages.ts';
import { checkOf } from '../doctor/finding.ts';
import type { StorageFinding } from './report.ts';
import { FindAssetStores } from '../../domains/assets/internal/FindAssetStores.ts';
import { ClaimAssetStores } from '../../domains/assets/internal/ClaimAssetStores.ts';

const { right } = checkOf('Restored copy');

/** Lets a hub that was restored from a backup delete in the object stores of the backup, and says which they are. */
export async function claimStores(executor: Executor): Promise<StorageFinding[]> {
  const { unclaimed } = await executor.run(systemCaller, FindAssetStores);
  const { buckets, count } = unclaimed;
  if (count === 0)
    return [{ ...right('This hub may delete in all its object stores already.'), count, examples: [] }];
  await executor.run(systemCaller, ClaimAssetStores);
  const text = `This hub now deletes what it needs no longer in ${bucketsText(unclaimed)}. The hub that was backed up must not run any more.`;
  return [{ ...right(text), count, examples: buckets.map(({ bucket }) => bucket) }];
}
