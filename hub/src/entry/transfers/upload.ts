import type { IncomingMessage, ServerResponse } from 'node:http';
import { createHash } from 'node:crypto';
import { on } from 'node:events';
import type { AssetStorage } from '../../domains/assets/storage/asset-storage.ts';
import { untilAborted } from '../../domains/assets/storage/until-aborted.ts';
import { watchProgress } from '../../domains/assets/storage/watch-progress.ts';
import { TransferFailure } from './TransferFailure.ts';
import type { TransfersContext } from './transfers-context.ts';
import { leaseUpload, type BegunUpload, type UploadLease, type UploadTarget } from './upload-lease.ts';

/** Receives all bytes of an asset in one PUT. When it answers 200, they are durable and the asset is available. */
export async function receiveUpload(
  context: TransfersContext,
  request: IncomingMessage,
  response: ServerResponse,
  upload: UploadTarget,
): Promise<void> {
  const length = contentLengthOf(request);
  const lease = await leaseUpload(context, upload, { busyStatus: 409 });
  try {
    const { asset } = lease;
    mustHaveSize(length, asset.size);
    mustMatchHeaders(request, asset);
    await withBody(context, request, (signal) =>
      asset.result === 'Available'
        ? compareBody(request, asset, signal)
        : storeBody(context, request, lease, signal),
    );
    response.writeHead(200, { etag: etagOf(asset.digest), 'content-length': 0, 'cache-control': 'no-store' });
    response.end();
  } finally {
    await lease.release();
  }
}

/** How many pieces of a body wait to be read before its socket is paused, and how many are left when it goes on. */
const waitingPieces = { highWaterMark: 8, lowWaterMark: 1 };

/** The bytes of a body, also those that came before its client left. A reader that stops early leaves the connection open, so that the failure can still be answered on it. */
export async function* bodyOf(request: IncomingMessage): AsyncGenerator<Uint8Array, void> {
  if (request.readableEnded) return;
  try {
    if (!request.destroyed)
      for await (const [piece] of on(request, 'data', { close: ['end', 'close'], ...waitingPieces }))
        yield piece as Uint8Array;
    if (!request.complete) throw new Error('The body ended early.');
  } finally {
    request.pause();
  }
}

/** The entity tag of an asset: its digest. */
export function etagOf(digest: string): string {
  return `"${digest.replace('_', ':')}"`;
}

/** The announced size of a body, which must be there: what comes is checked against it before it is read. */
export function contentLengthOf({ headers }: IncomingMessage): number {
  if (headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity')
    throw new TransferFailure(415, 'Send the bytes as they are, without Content-Encoding.');
  const length = headers['content-length'];
  if (headers['transfer-encoding'] === undefined && length !== undefined) return Number(length);
  throw new TransferFailure(
    411,
    'Send the header Content-Length with the size of the file, and no chunked encoding.',
  );
}

function mustHaveSize(length: number, size: number): void {
  if (length === size) return;
  const status = length > size ? 413 : 400;
  throw new TransferFailure(
    status,
    `The asset has ${size} bytes, but Content-Length is ${length}. Send the right file.`,
  );
}

/** Clients of 2026 repeat in headers what they upload. */
function mustMatchHeaders({ headers }: IncomingMessage, { assetId, digest }: BegunUpload): void {
  const expected = {
    'x-amz-meta-nexigon-asset-id': assetId,
    'x-amz-meta-nexigon-digest': digest,
    'x-amz-checksum-sha256': Buffer.from(digest.slice('sha256_'.length), 'hex').toString('base64'),
  };
  for (const [name, value] of Object.entries(expected)) {
    const sent = headers[name];
    const same = name.endsWith('digest') ? String(sent).toLowerCase().replace(':', '_') : sent;
    if (sent !== undefined && same !== value)
      throw new TransferFailure(
        400,
        `The header ${name} belongs to another asset than the URL; ask for a new URL.`,
      );
  }
}

/** Runs the reading of a body until its client is too slow, is gone, or the hub stops. */
export async function withBody<Result>(
  { limits, parts, stopping }: TransfersContext,
  request: IncomingMessage,
  read: (signal: AbortSignal, abort: (failure: TransferFailure) => void) => Promise<Result>,
): Promise<Result> {
  const aborting = new AbortController();
  const abort = (failure: TransferFailure): void => aborting.abort(failure);
  const onStop = (): void => abort(stopped());
  stopping.addEventListener('abort', onStop);
  if (stopping.aborted) onStop();
  const { nowMs } = parts;
  // What happens behind the last byte, such as a large write to a store, is no fault of the client. A store has limits of its own.
  const onSlow = (): void => {
    if (!request.complete) abort(TransferFailure.ofSlowClient());
  };
  const stopWatch = watchProgress(
    {
      movedBytes: () => request.socket.bytesRead,
      // The reader of the body pauses it while the disk or a store is slower than the client.
      isHeldUp: () => request.isPaused(),
      onSlow,
      nowMs,
    },
    { ...limits.upload, checkEveryMs: limits.checkEveryMs },
  );
  try {
    return await read(aborting.signal, abort);
  } finally {
    stopWatch();
    stopping.removeEventListener('abort', onStop);
  }
}

/** The refusal of a hub that stops. */
export function stopped(): TransferFailure {
  return new TransferFailure(503, 'The hub is stopping; try again in a moment.', { retryAfterSecs: 5 });
}

async function storeBody(
  { parts }: TransfersContext,
  request: IncomingMessage,
  lease: UploadLease,
  signal: AbortSignal,
): Promise<void> {
  const { asset } = lease;
  const storage: AssetStorage = await parts.storages.of(asset.storeId ?? null);
  const { chunkDigests } = await storage.write(asset.storageKey, bodyOf(request), expectedOf(asset), {
    signal,
    assetId: asset.assetId,
    replaces: asset.result === 'Taken' && asset.replaces,
  });
  await lease.complete(chunkDigests);
}

/** What the bytes of an asset must be. */
export function expectedOf({ size, digest }: Pick<BegunUpload, 'size' | 'digest'>) {
  return { sizeBytes: size, digest: Buffer.from(digest.slice('sha256_'.length), 'hex') };
}

/** Clients of all generations upload also what is there already, and take any answer but 2xx as a failure. The bytes are compared, not stored. */
async function compareBody(
  request: IncomingMessage,
  { digest }: BegunUpload,
  signal: AbortSignal,
): Promise<void> {
  const hash = createHash('sha256');
  for await (const chunk of untilAborted(bodyOf(request), signal)) hash.update(chunk);
  const sent = `sha256_${hash.digest('hex')}`;
  if (sent === digest) return;
  throw new TransferFailure(422, `The bytes have the digest ${sent} instead of the announced ${digest}.`);
}
