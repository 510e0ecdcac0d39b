import { randomBytes } from 'node:crypto';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { systemCaller } from '../../calls/handler.ts';
import {
  type AssetStorage,
  type ByteRange,
  damageFaults,
  StorageError,
} from '../../domains/assets/storage/asset-storage.ts';
import { watchProgress } from '../../domains/assets/storage/watch-progress.ts';
import { TransferFailure } from './TransferFailure.ts';
import { checkChunks, type DigestOf, keptDigests } from './check-chunks.ts';
import type { FoundAsset } from './download.ts';
import { lengthOf, type WantedRanges } from './ranges.ts';
import type { TransfersContext } from './transfers-context.ts';
import { stopped } from './upload.ts';
import { ReportAssetCheck } from '../../domains/assets/internal/ReportAssetCheck.ts';

/** A part of a body: text of the hub, or bytes of the asset. */
type Piece = { readonly text: string } | { readonly range: ByteRange };

/** What the answer to a request is made of. */
export interface PlannedBody {
  readonly status: 200 | 206;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly pieces: readonly Piece[];
}

const mediaType = 'application/octet-stream';

/** Plans the body of an answer: the whole, one part, or several as multipart/byteranges (RFC 9110, 14.6). */
export function planBody(
  wanted: Exclude<WantedRanges, { kind: 'unsatisfiable' }>,
  size: number,
): PlannedBody {
  if (wanted.kind === 'whole') {
    const pieces = size === 0 ? [] : [{ range: { start: 0, end: size - 1 } }];
    return { status: 200, headers: { 'content-type': mediaType, 'content-length': size }, pieces };
  }
  const [range, ...others] = wanted.parts;
  return others.length > 0 ? multipart(wanted.parts, size) : onePart(range, size);
}

const contentRange = ({ start, end }: ByteRange, size: number): string => `bytes ${start}-${end}/${size}`;

function onePart(range: ByteRange, size: number): PlannedBody {
  const headers = {
    'content-type': mediaType,
    'content-length': lengthOf(range),
    'content-range': contentRange(range, size),
  };
  return { status: 206, headers, pieces: [{ range }] };
}

function multipart(ranges: readonly ByteRange[], size: number): PlannedBody {
  const boundary = randomBytes(18).toString('hex');
  const pieces = ranges.flatMap((range, index): Piece[] => [
    {
      text: `${index === 0 ? '' : '\r\n'}--${boundary}\r\ncontent-type: ${mediaType}\r\ncontent-range: ${contentRange(range, size)}\r\n\r\n`,
    },
    { range },
  ]);
  pieces.push({ text: `\r\n--${boundary}--\r\n` });
  const length = pieces.reduce(
    (sum, piece) => sum + ('text' in piece ? piece.text.length : lengthOf(piece.range)),
    0,
  );
  const headers = { 'content-type': `multipart/byteranges; boundary=${boundary}`, 'content-length': length };
  return { status: 206, headers, pieces };
}

interface Sending {
  readonly response: ServerResponse;
  readonly asset: FoundAsset;
  readonly body: PlannedBody;
  readonly headers: OutgoingHttpHeaders;
  /** Whether the client checks the digests itself. */
  readonly isCheckedByClient: boolean;
}

/**
 * Sends a body piece by piece, as fast as the client takes it. What the store cannot read becomes a failure before the first byte, and afterwards a cut: a client
 * sees an incomplete answer, never other bytes.
 */
export async function sendBody(context: TransfersContext, sending: Sending): Promise<void> {
  const { response, asset } = sending;
  try {
    await whileTaken(context, response, (signal) => stream(context, sending, signal));
  } catch (error) {
    throw isDamage(error) ? await reportDamage(context, asset, error) : error;
  }
}

/** Runs the sending of a body until its client is too slow or gone, or the hub stops: what waits for a store then holds nothing any more. */
async function whileTaken(
  { parts, limits, stopping }: TransfersContext,
  response: ServerResponse,
  send: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const aborting = new AbortController();
  const onStop = (): void => aborting.abort(stopped());
  const onClose = (): void => {
    // A connection for one request closes in the same moment in which the system has all bytes.
    if (!response.writableFinished) aborting.abort(new Error('The client has left.'));
  };
  stopping.addEventListener('abort', onStop);
  if (stopping.aborted) onStop();
  response.on('close', onClose);
  if (response.destroyed) onClose();
  const { socket } = response;
  const stopWatch = watchProgress(
    {
      movedBytes: () => (socket?.bytesWritten ?? 0) - (socket?.writableLength ?? 0),
      onSlow: () => aborting.abort(TransferFailure.ofSlowClient()),
      nowMs: parts.nowMs,
    },
    { ...limits.download, checkEveryMs: limits.checkEveryMs },
  );
  try {
    await send(aborting.signal);
  } finally {
    stopWatch();
    response.off('close', onClose);
    stopping.removeEventListener('abort', onStop);
  }
}

async function stream(
  context: TransfersContext,
  { response, asset, body, headers, isCheckedByClient }: Sending,
  signal: AbortSignal,
): Promise<void> {
  const { parts, limits, checking, served } = context;
  const hasRoom = !isCheckedByClient && checking.size < limits.maxChecking;
  try {
    const storage = await parts.storages.of(asset.storeId ?? null);
    const digestOf = hasRoom ? keptDigests(context, asset) : undefined;
    if (hasRoom) checking.add(response);
    const onSent = (sent: number): void => served.add(asset.repositoryId, sent);
    const bytes = readPieces(storage, { asset, digestOf, onSent }, body.pieces, signal);
    const first = await bytes.next();
    response.writeHead(body.status, headers);
    if (first.done === true) return void response.end();
    await pipeline(startingWith(first.value, bytes), response, { signal });
  } finally {
    checking.delete(response);
  }
}

/** The first piece is read before the answer begins, so that a failure to read can still be one. */
async function* startingWith(first: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  yield* rest;
}

interface Read {
  readonly asset: FoundAsset;
  /** Undefined where the bytes are passed on unchecked. */
  readonly digestOf: DigestOf | undefined;
  /** Is told of the bytes of the asset when the next ones are asked for: whoever leaves has not taken the last ones. */
  readonly onSent: (bytes: number) => void;
}

async function* readPieces(
  storage: AssetStorage,
  { asset: { storageKey, size }, digestOf, onSent }: Read,
  pieces: readonly Piece[],
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  for (const piece of pieces) {
    if ('text' in piece) {
      yield Buffer.from(piece.text);
      continue;
    }
    let left = lengthOf(piece.range);
    const isWhole = left === size;
    const { range } = piece;
    const stored = await storage.read(storageKey, isWhole ? undefined : range, signal);
    const bytes = digestOf === undefined ? stored : checkChunks(stored, { range, size, digestOf });
    for await (const chunk of bytes) {
      left -= chunk.length;
      if (left < 0) break;
      yield chunk;
      onSent(chunk.length);
    }
    if (left !== 0) throw new StorageError('SizeMismatch', `The stored object does not have ${size} bytes.`);
  }
}

function isDamage(error: unknown): error is StorageError {
  return error instanceof StorageError && damageFaults.has(error.fault);
}

/** Records what a reader found, so that it need not wait for the scrub; the failure says that it is not the client's fault. */
async function reportDamage(
  { parts }: TransfersContext,
  asset: FoundAsset,
  error: StorageError,
): Promise<TransferFailure> {
  const { storages } = parts;
  const { assetId, storeId, storageKey, checkedAt } = asset;
  if (storeId === undefined && !(await storages.isDiskAuthoritative())) return onAnotherNode();
  const seen = { storeId, storageKey, checkedAt };
  const storageStatus = error.fault === 'Missing' ? 'Missing' : 'Mismatched';
  parts.log.error({ err: error, assetId, storageKey }, 'the stored bytes of an asset are damaged');
  await parts.executor
    .run(systemCaller, ReportAssetCheck, {
      assetId,
      storageStatus,
      detail: error.message,
      seen,
    })
    .catch((failure: unknown) =>
      parts.log.warn({ err: failure }, 'the damage of an asset could not be recorded'),
    );
  return TransferFailure.ofDamage(error.message, error);
}

/** A proxy may take the next try to the node that has the bytes. */
function onAnotherNode(): TransferFailure {
  return new TransferFailure(
    503,
    'The bytes of this asset are in the data folder of another node of the cluster: try again, so that the load balancer may choose that one.',
    { retryAfterSecs: 1 },
  );
}
