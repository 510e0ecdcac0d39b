import { createHash } from 'node:crypto';
import { maxPartsAtOnce, type Id, type Output } from '@corral/contract';
import type { Executor } from '../executor.ts';
import { mapConcurrently } from '../map-concurrently.ts';
import { bytesOf, type DigestedFile } from './file-digest.ts';
import { answerError, type TransferHttp } from './transfer-http.ts';

/** Parts on their way at a time. */
const concurrency = 4;
/** Their digests are computed before any of them is sent. */
const partsAtOnce = Math.min(16, maxPartsAtOnce);

/** A file that goes to the object store of its repository in parts. */
export interface PartedFile {
  readonly file: DigestedFile;
  readonly assetId: Id<'asset'>;
  /** The size of every part but the last, in bytes. */
  readonly partSize: number;
  readonly executor: Executor;
  readonly http: TransferHttp;
  readonly signal: AbortSignal | undefined;
  /** Called with the bytes of a part, or the first of them, that were sent. */
  readonly onSent: (sentBytes: number) => void;
  /** Called with the bytes of a part that the store had already. */
  readonly onPresent: (partBytes: number) => void;
}

type PartUrl = Output<'repositories_IssueAssetPartUrls'>['parts'][number];

/**
 * Sends the parts of a file that `done` does not name, and adds them to it, so that the next attempt leaves them out. Rejected with a TransferError
 * or an error of the executor; what had begun has ended by then.
 */
export async function sendParts(parted: PartedFile, done: Set<number>): Promise<void> {
  const { file, partSize, executor, assetId } = parted;
  const numbers = Array.from({ length: Math.ceil(file.sizeBytes / partSize) }, (_, index) => index + 1);
  const missing = numbers.filter((number) => !done.has(number));
  for (let start = 0; start < missing.length; start += partsAtOnce) {
    const wanted = [];
    for (const number of missing.slice(start, start + partsAtOnce))
      wanted.push({ number, digest: await digestOfPart(parted, number) });
    const { parts } = await executor.invoke('repositories_IssueAssetPartUrls', { assetId, parts: wanted });
    await mapConcurrently(
      parts,
      async (part) => {
        if (part.url === undefined) parted.onPresent(lengthOf(parted, part.number));
        else await put(parted, part, part.url);
        done.add(part.number);
      },
      concurrency,
    );
  }
}

function lengthOf({ file, partSize }: PartedFile, number: number): number {
  return Math.min(partSize, file.sizeBytes - (number - 1) * partSize);
}

function bytesOfPart(parted: PartedFile, number: number, onProgress: (count: number) => void) {
  const start = (number - 1) * parted.partSize;
  return bytesOf(parted.file, start, onProgress, start + lengthOf(parted, number));
}

async function digestOfPart(parted: PartedFile, number: number): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of bytesOfPart(parted, number, () => undefined)) {
    parted.signal?.throwIfAborted();
    hash.update(piece);
  }
  return `sha256_${hash.digest('hex')}`;
}

async function put(parted: PartedFile, { number, headers }: PartUrl, url: string): Promise<void> {
  let sentBytes = 0;
  const report = (count: number): void => {
    sentBytes += count;
    parted.onSent(count);
  };
  try {
    const answer = await parted.http.send(url, {
      method: 'PUT',
      headers: { ...headers, 'content-length': String(lengthOf(parted, number)) },
      body: bytesOfPart(parted, number, report),
      signal: parted.signal,
    });
    if ((answer.statusCode ?? 0) >= 300) throw await answerError(answer, url);
    answer.resume();
  } catch (error) {
    // It will be sent again from its start.
    parted.onSent(-sentBytes);
    throw error;
  }
}
