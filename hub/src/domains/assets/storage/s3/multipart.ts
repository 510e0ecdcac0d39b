import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  UploadPartCommand,
  type Part,
} from '@aws-sdk/client-s3';
import type { MultipartUploads, NewPart, StoredPart, UnfinishedUpload } from '../asset-storage.ts';
import type { Connection } from './connection.ts';
import { assetMetadata } from './metadata.ts';
import { sendBody } from './send-body.ts';
import { signDigest } from './sign-digest.ts';
import { statusOf, storeFault } from './store-faults.ts';

/** What one answer lists at most. */
const maxListed = 1000;
/** What an upload has at most, by S3. */
const maxParts = 10_000;

/** Uploads to a store in parts. */
export function createMultipartUploads(connection: Connection): MultipartUploads {
  const { settings } = connection;
  const send = async <Answer>(request: Promise<Answer>, signal?: AbortSignal): Promise<Answer> => {
    try {
      return await request;
    } catch (error) {
      signal?.throwIfAborted();
      throw storeFault(error, settings);
    }
  };
  return {
    start: (key, asset) => send(start(connection, key, asset)),
    parts: (key, uploadId, signal) =>
      send(unlessGone(listParts(connection, { key, uploadId, signal })), signal),
    write: (key, uploadId, part, bytes) => send(write(connection, { key, uploadId, part }, bytes)),
    complete: (key, uploadId, options) => send(unlessPresent(complete(connection, key, uploadId, options))),
    async abort(Key, UploadId, signal) {
      const command = new AbortMultipartUploadCommand({ Bucket: settings.bucket, Key, UploadId });
      await send(unlessGone(connection.send(command, { signal })), signal);
    },
    unfinished: (signal) => listUploads(connection, signal),
  };
}

/** Whether parts come with checksums, which the store then demands of all of them. */
const hasChecksums = ({ settings }: Connection): boolean => settings.capabilities?.checksum === 'enforced';

async function start(
  connection: Connection,
  Key: string,
  { assetId, digest }: Parameters<MultipartUploads['start']>[1],
): Promise<string> {
  const command = new CreateMultipartUploadCommand({
    Bucket: connection.settings.bucket,
    Key,
    ContentType: 'application/octet-stream',
    Metadata: assetMetadata(assetId, digest),
    ...(hasChecksums(connection) ? { ChecksumAlgorithm: 'SHA256' } : {}),
  });
  const { UploadId } = await connection.send(command);
  if (UploadId === undefined) throw new Error('The store started an upload without an id.');
  return UploadId;
}

interface PartPlace {
  readonly key: string;
  readonly uploadId: string;
  readonly part: NewPart;
}

async function write(
  connection: Connection,
  { key: Key, uploadId: UploadId, part }: PartPlace,
  bytes: AsyncIterable<Uint8Array>,
): Promise<StoredPart> {
  const { client, limits, settings } = connection;
  const { number: PartNumber, sizeBytes: ContentLength, digest } = part;
  const checksum = hasChecksums(connection) ? { ChecksumSHA256: digest.toString('base64') } : {};
  const place = { Bucket: settings.bucket, Key, UploadId, PartNumber };
  const command = new UploadPartCommand({ ...place, ContentLength, ...checksum });
  signDigest(command, digest);
  const { ETag: etag } = await sendBody(bytes, limits, (Body, abortSignal) => {
    command.input.Body = Body;
    return client.send(command, { abortSignal });
  });
  if (etag === undefined) throw new Error('The store took a part without naming it.');
  return { ...part, etag };
}

function complete(
  connection: Connection,
  Key: string,
  UploadId: string,
  { parts, replaces }: Parameters<MultipartUploads['complete']>[2],
): Promise<unknown> {
  const { send, settings, limits } = connection;
  const isConditional = settings.capabilities?.conditional === true && !replaces;
  const command = new CompleteMultipartUploadCommand({
    Bucket: settings.bucket,
    Key,
    UploadId,
    MultipartUpload: { Parts: parts.map((part) => completedPart(part, hasChecksums(connection))) },
    ...(isConditional ? { IfNoneMatch: '*' } : {}),
  });
  return send(command, { longestMs: limits.storingMs });
}

function completedPart({ number, etag, digest }: StoredPart, hasChecksum: boolean) {
  const checksum = hasChecksum && digest !== undefined ? { ChecksumSHA256: digest.toString('base64') } : {};
  return { PartNumber: number, ETag: etag, ...checksum };
}

/** The result; undefined if there is no such upload any more. */
async function unlessGone<Result>(request: Promise<Result>): Promise<Result | undefined> {
  try {
    return await request;
  } catch (error) {
    if (statusOf(error) === 404 && (error as Error).name === 'NoSuchUpload') return undefined;
    throw error;
  }
}

/** Another client has stored the same object meanwhile. */
async function unlessPresent(request: Promise<unknown>): Promise<void> {
  try {
    await request;
  } catch (error) {
    if (statusOf(error) !== 412) throw error;
  }
}

interface ListedUpload {
  readonly key: string;
  readonly uploadId: string;
  readonly signal: AbortSignal | undefined;
}

async function listParts(
  { send, settings, limits }: Connection,
  { key: Key, uploadId: UploadId, signal: abortSignal }: ListedUpload,
): Promise<StoredPart[]> {
  const upload = { Bucket: settings.bucket, Key, UploadId };
  const parts: StoredPart[] = [];
  // The whole list has the time of one answer.
  const late = AbortSignal.timeout(limits.answerMs);
  const signal = abortSignal === undefined ? late : AbortSignal.any([abortSignal, late]);
  for (let marker: string | undefined; ;) {
    const command = new ListPartsCommand({
      ...upload,
      MaxParts: maxListed,
      ...(marker === undefined ? {} : { PartNumberMarker: marker }),
    });
    const { Parts = [], IsTruncated, NextPartNumberMarker } = await send(command, { signal });
    parts.push(...Parts.slice(0, maxListed).flatMap(toStoredPart));
    const isLast = IsTruncated !== true || NextPartNumberMarker === undefined || Parts.length === 0;
    if (isLast || parts.length >= maxParts) return parts;
    marker = NextPartNumberMarker;
  }
}

function toStoredPart({ PartNumber, Size, ETag, ChecksumSHA256 }: Part): StoredPart[] {
  if (PartNumber === undefined || ETag === undefined) return [];
  const digest = ChecksumSHA256 === undefined ? {} : { digest: Buffer.from(ChecksumSHA256, 'base64') };
  return [{ number: PartNumber, sizeBytes: Size ?? 0, etag: ETag, ...digest }];
}

async function* listUploads(
  { send, settings }: Connection,
  signal: AbortSignal | undefined,
): AsyncGenerator<UnfinishedUpload, void> {
  const { bucket: Bucket, prefix } = settings;
  const Prefix = prefix === '' ? '' : `${prefix}/`;
  for (let markers: { KeyMarker?: string; UploadIdMarker?: string } = {}; ;) {
    const command = new ListMultipartUploadsCommand({ Bucket, Prefix, MaxUploads: maxListed, ...markers });
    const {
      Uploads = [],
      IsTruncated,
      NextKeyMarker,
      NextUploadIdMarker,
    } = await send(command, { signal }).catch((error: unknown) => {
      signal?.throwIfAborted();
      throw storeFault(error, settings);
    });
    for (const { Key, UploadId, Initiated } of Uploads)
      if (Key !== undefined && UploadId !== undefined && Initiated !== undefined)
        yield { key: Key, uploadId: UploadId, startedAt: Initiated };
    if (IsTruncated !== true || NextKeyMarker === undefined || Uploads.length === 0) return;
    markers = {
      KeyMarker: NextKeyMarker,
      ...(NextUploadIdMarker === undefined ? {} : { UploadIdMarker: NextUploadIdMarker }),
    };
  }
}
