import type { AssetStorage, CheckPace, ExpectedContent } from './asset-storage.ts';
import { hashContent, mustMatch } from './content-hash.ts';
import { damageFaults, StorageError } from './asset-storage.ts';

/** What the check of an object found. */
export type ObjectVerdict =
  | {
      readonly status: 'Verified';
      /** The SHA-256 of each MiB, joined; undefined if the store vouched for the whole. */
      readonly chunkDigests?: Buffer;
    }
  /** The size is right, and the bytes were not read. */
  | { readonly status: 'Present' }
  | { readonly status: 'Missing' | 'Mismatched'; readonly detail: string };

/** How an object is checked. */
export interface VerifyOptions {
  /** Rejects the check with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Whether the right size is enough where the store keeps no digest of the whole. */
  readonly isSizeEnough?: boolean | undefined;
  /** Reads the bytes when the turn of the caller has come; by default at once. */
  readonly inTurn?: (<Result>(read: () => Promise<Result>) => Promise<Result>) | undefined;
}

/** How long after a check of stored bytes the next one is due, in seconds: all are checked once a day, as far as the budget of the runs allows. */
export const checkAgeSecs = 20 * 3600;

/** Checks that a store has exactly the expected bytes: by the digest that it keeps, else by reading them all, or by their number where that is enough. Rejects if the store does not answer, or is too slow. */
export async function verifyObject(
  storage: AssetStorage,
  key: string,
  expected: ExpectedContent,
  { signal, inTurn = atOnce, isSizeEnough = false }: VerifyOptions = {},
): Promise<ObjectVerdict> {
  const info = await storage.stat(key, signal);
  if (info === undefined) return { status: 'Missing', detail: 'The store has no object of this asset.' };
  try {
    mustMatch({ sizeBytes: info.sizeBytes, digest: info.digest ?? expected.digest }, expected);
    if (info.digest !== undefined) return { status: 'Verified' };
    if (isSizeEnough) return { status: 'Present' };
    const content = await inTurn(async () => {
      const bytes = await storage.read(key, undefined, signal);
      const { checkPace } = storage;
      return hashContent(checkPace === undefined ? bytes : atPace(bytes, checkPace), expected.sizeBytes);
    });
    mustMatch(content, expected);
    return { status: 'Verified', chunkDigests: content.chunkDigests };
  } catch (error) {
    if (error instanceof StorageError) return verdictOf(error);
    throw error;
  }
}

/** The same pieces, as long as they come fast enough. A store that sends nothing at all is noticed by whoever reads it. */
async function* atPace(
  pieces: AsyncIterable<Uint8Array>,
  { graceMs, bytesPerSec }: CheckPace,
): AsyncGenerator<Uint8Array, void> {
  const startedAtMs = performance.now();
  let sizeBytes = 0;
  for await (const piece of pieces) {
    sizeBytes += piece.length;
    const lateMs = performance.now() - startedAtMs - graceMs - (sizeBytes / bytesPerSec) * 1000;
    if (lateMs > 0)
      throw new StorageError(
        'Unreachable',
        'The store sends the bytes of the asset too slowly to check them: check how fast the hub reads from it.',
      );
    yield piece;
  }
}

function atOnce<Result>(read: () => Promise<Result>): Promise<Result> {
  return read();
}

function verdictOf(error: StorageError): ObjectVerdict {
  const { fault, message: detail } = error;
  if (!damageFaults.has(fault)) throw error;
  return { status: fault === 'Missing' ? 'Missing' : 'Mismatched', detail };
}
