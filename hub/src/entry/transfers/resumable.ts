import type { IncomingMessage, ServerResponse } from 'node:http';
import { maxAssetBytes } from '@corral/contract';
import {
  StorageError,
  unfinishedUploadMs,
  type StorageFault,
} from '../../domains/assets/storage/asset-storage.ts';
import { openPartial, type PartialUpload } from './partial-upload.ts';
import { readChecksum, readOffset } from './resumable-headers.ts';
import { TransferFailure } from './TransferFailure.ts';
import type { TransfersContext } from './transfers-context.ts';
import { bodyOf, contentLengthOf, withBody } from './upload.ts';
import { leaseUpload, type LeaseOptions, type UploadLease, type UploadTarget } from './upload-lease.ts';

const version = '1.0.0';
const always = { 'tus-resumable': version, 'cache-control': 'no-store' } as const;
const busyStatus = 423;
const partStatus: Partial<Record<StorageFault, number>> = { DigestMismatch: 460, SizeMismatch: 409 };

/** Whether a request speaks tus, the protocol of resumable uploads: https://tus.io/protocols/resumable-upload. */
export function isResumable({ method, headers }: IncomingMessage): boolean {
  if (method === 'HEAD') return headers['tus-resumable'] !== undefined;
  return method === 'PATCH' || method === 'DELETE' || method === 'OPTIONS';
}

/** Answers a request of tus 1.0: the asset is the upload, so there is no creation. */
export async function answerResumable(
  context: TransfersContext,
  request: IncomingMessage,
  response: ServerResponse,
  upload: UploadTarget,
): Promise<void> {
  if (request.method === 'OPTIONS') return describe(response);
  if (request.headers['tus-resumable'] !== version)
    throw new TransferFailure(
      412,
      'Send the header Tus-Resumable: 1.0.0; the hub has no other version of tus.',
      {
        headers: { 'tus-version': version },
      },
    );
  if (request.method === 'HEAD') return tellOffset(context, response, upload);
  if (request.method === 'DELETE') return discard(context, response, upload);
  return append(context, request, response, upload);
}

function describe(response: ServerResponse): void {
  response.writeHead(204, {
    ...always,
    'tus-version': version,
    'tus-extension': 'checksum,expiration,termination',
    'tus-checksum-algorithm': 'sha256',
    'tus-max-size': maxAssetBytes,
  });
  response.end();
}

/** Runs the work under a lease and ends that before the answer, after which the client may come again at once. */
async function leased<Result>(
  context: TransfersContext,
  upload: UploadTarget,
  work: (lease: UploadLease) => Promise<Result>,
  options: Omit<LeaseOptions, 'busyStatus'> = {},
): Promise<Result> {
  const lease = await leaseUpload(context, upload, { busyStatus, ...options });
  try {
    return await work(lease);
  } finally {
    await lease.release();
  }
}

async function tellOffset(
  context: TransfersContext,
  response: ServerResponse,
  upload: UploadTarget,
): Promise<void> {
  const headers = await leased(context, upload, async (lease) => ({
    'upload-offset': await currentOffset(context, lease),
    'upload-length': lease.asset.size,
  }));
  response.writeHead(200, { ...always, ...headers }).end();
}

/** Where an upload goes on. One whose last part came just before a crash is completed here: a client with no bytes left would only ask. */
async function currentOffset(context: TransfersContext, lease: UploadLease): Promise<number> {
  const { asset } = lease;
  if (asset.result === 'Available') return asset.size;
  const partial = await openPartial(context, asset);
  if (partial.sizeBytes < asset.size) return partial.sizeBytes;
  await commit(partial, lease, context.stopping);
  return asset.size;
}

/** Moves a complete upload to its place and makes the asset available. */
async function commit(partial: PartialUpload, lease: UploadLease, signal: AbortSignal): Promise<void> {
  const { chunkDigests } = await partial.commit(signal, () => lease.extend());
  await lease.complete(chunkDigests);
}

async function discard(
  context: TransfersContext,
  response: ServerResponse,
  upload: UploadTarget,
): Promise<void> {
  await leased(context, upload, async ({ asset }) => {
    if (asset.result === 'Taken') await (await openPartial(context, asset)).discard();
  });
  response.writeHead(204, always).end();
}

async function append(
  context: TransfersContext,
  request: IncomingMessage,
  response: ServerResponse,
  upload: UploadTarget,
): Promise<void> {
  if (request.headers['content-type'] !== 'application/offset+octet-stream')
    throw new TransferFailure(415, 'Send the header Content-Type: application/offset+octet-stream.');
  const offset = readOffset(request.headers['upload-offset']);
  const digest = readChecksum(request.headers['upload-checksum']);
  const length = contentLengthOf(request);
  const reached = await withBody(context, request, (signal, abort) =>
    leased(
      context,
      upload,
      async (lease) => {
        const { asset } = lease;
        const { size } = asset;
        const partial = asset.result === 'Taken' ? await openPartial(context, asset) : undefined;
        mustContinue(partial?.sizeBytes ?? size, size, { offset, length });
        if (partial === undefined) return progressOf(context, size, size);
        const bytes = bodyOf(request);
        const part = { bytes, offset, maxBytes: size, signal, ...(digest === undefined ? {} : { digest }) };
        const kept = await partial.append(part).catch(asPartFailure);
        if (kept === size) await commit(partial, lease, signal);
        return progressOf(context, kept, size);
      },
      { isInParts: true, onLost: abort },
    ),
  );
  response.writeHead(204, { ...always, ...reached }).end();
}

/** What the client learns about its upload: how far it is, and until when it may go on. */
function progressOf(
  context: TransfersContext,
  offset: number,
  size: number,
): Record<string, string | number> {
  const endsAt = new Date(context.parts.now().getTime() + unfinishedUploadMs);
  return {
    'upload-offset': offset,
    ...(offset === size ? {} : { 'upload-expires': endsAt.toUTCString() }),
  };
}

/** Tus has statuses of its own: for a part with another checksum, and for one that does not go on where the upload ends. */
function asPartFailure(error: unknown): never {
  const status = error instanceof StorageError ? partStatus[error.fault] : undefined;
  throw status === undefined
    ? error
    : new TransferFailure(status, (error as StorageError).message, { cause: error });
}

function mustContinue(kept: number, size: number, part: { offset: number; length: number }): void {
  const { offset, length } = part;
  if (offset !== kept)
    throw new TransferFailure(409, `The upload has ${kept} bytes; go on there.`, {
      headers: { ...always, 'upload-offset': String(kept) },
    });
  if (offset + length > size)
    throw new TransferFailure(413, `The asset has ${size} bytes; the part would reach ${offset + length}.`);
}
