import type { IncomingMessage } from 'node:http';
import { contentDisposition } from '../../domains/assets/storage/content-disposition.ts';
import type { FoundAsset } from './download.ts';
import type { TransfersContext } from './transfers-context.ts';

/** Long enough to follow a redirect; whoever made the repository private waits this long at most. */
const ttlSecs = 300;
const blobCaching = 'public, max-age=31536000, immutable';

/** A client that follows a redirect repeats these, and the store, which has other entity tags, would refuse the request or begin anew. */
const conditions = ['if-match', 'if-range', 'if-unmodified-since'] as const;

/**
 * The address at which the store of a public file serves a request itself; undefined if the hub has to serve it: from the data folder, a store that clients
 * cannot reach or to whose host the operator lets no link lead, a HEAD, for which the address is not signed, or a request with a condition that only the hub can judge.
 */
export async function directAddress(
  { parts }: TransfersContext,
  { method, headers }: IncomingMessage,
  { storeId, storageKey }: FoundAsset,
  filename: string,
): Promise<string | undefined> {
  if (storeId === undefined || method !== 'GET') return undefined;
  if (conditions.some((name) => headers[name] !== undefined)) return undefined;
  const storage = await parts.storages.of(storeId);
  const url = await storage.direct?.presignGet(storageKey, {
    ttlSecs,
    contentDisposition: contentDisposition(filename),
    cacheControl: blobCaching,
  });
  return url !== undefined && storage.mayRedirectTo?.(url) === true ? url : undefined;
}
