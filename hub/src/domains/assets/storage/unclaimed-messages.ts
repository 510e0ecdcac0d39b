import { operatorCommand } from '../../../operator-command.ts';

/** The object stores in which a restored copy deletes nothing until an operator claims them. */
interface Unclaimed {
  /** The first ones. */
  readonly buckets: readonly { readonly endpoint: string; readonly bucket: string }[];
  readonly count: number;
}

/** Why this hub deletes nothing in some stores, and what to do, in sentences for the operator; undefined if there are none. */
export function unclaimedMessages(unclaimed: Unclaimed): string | undefined {
  if (unclaimed.count === 0) return undefined;
  return `This hub was restored from a backup and deletes nothing in ${bucketsText(unclaimed)}, because the hub that was backed up may still use it. If this one replaces it, stop that one for good and run: ${operatorCommand('storage claim')}.`;
}

/** The buckets in words. */
export function bucketsText({ buckets, count }: Unclaimed): string {
  const named = buckets.map(({ endpoint, bucket }) => `the bucket ${bucket} at ${endpoint}`).join(', ');
  return count > buckets.length ? `${named}, and ${count - buckets.length} more` : named;
}
