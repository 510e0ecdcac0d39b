import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { ExpectedContent, StoredContent, WriteOptions } from '../asset-storage.ts';
import { ContentHash, mustMatch } from '../content-hash.ts';
import { untilAborted } from '../until-aborted.ts';
import { createByteSplitter } from '../byte-splitter.ts';
import type { Connection } from './connection.ts';
import { withholdTail } from './withhold-tail.ts';
import { assetMetadata } from './metadata.ts';
import { sendBody } from './send-body.ts';
import { signDigest } from './sign-digest.ts';

/** How large uploads are cut. */
export interface UploadSizes {
  /** The largest object that one PUT may carry. */
  readonly singleBytes: number;
  /** The least size of a part. */
  readonly partBytes: number;
}

/** The limits of S3: 5 GiB for one PUT, 10,000 parts. */
export const s3Sizes: UploadSizes = { singleBytes: 5 * 1024 ** 3, partBytes: 64 * 1024 ** 2 };
const maxParts = 10_000;

/** What is written where. */
export interface ObjectWrite extends WriteOptions {
  readonly key: string;
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly expected: ExpectedContent;
}

/** Uploads an object through the hub. It appears only with all of its bytes and the right digest. */
export function writeObject(
  connection: Connection,
  write: ObjectWrite,
  sizes: UploadSizes,
): Promise<StoredContent> {
  return write.expected.sizeBytes > sizes.singleBytes
    ? writeParts(connection, write, sizes)
    : writeAtOnce(connection, write);
}

async function writeAtOnce(
  { client, settings, limits }: Connection,
  write: ObjectWrite,
): Promise<StoredContent> {
  const { key, expected, signal } = write;
  let stored: StoredContent | undefined;
  const hash = new ContentHash();
  const pieces = withholdTail(
    untilAborted(write.bytes, signal),
    expected,
    hash,
    (content) => (stored = content),
  );
  const hasChecksum = settings.capabilities?.checksum !== 'rejected';
  const command = new PutObjectCommand({
    Bucket: settings.bucket,
    Key: key,
    ContentLength: expected.sizeBytes,
    ContentType: 'application/octet-stream',
    Metadata: assetMetadata(write.assetId, expected.digest),
    ...(hasChecksum ? { ChecksumSHA256: expected.digest.toString('base64') } : {}),
  });
  signDigest(command, expected.digest);
  await sendBody(pieces, limits, (Body, abortSignal) => {
    command.input.Body = Body;
    return client.send(command, { abortSignal });
  });
  if (stored === undefined) throw new Error('The store answered before it had all bytes.');
  return stored;
}

async function writeParts(
  connection: Connection,
  write: ObjectWrite,
  sizes: UploadSizes,
): Promise<StoredContent> {
  const { send, settings, limits } = connection;
  const { key, expected, assetId, signal } = write;
  const place = { Bucket: settings.bucket, Key: key };
  const create = new CreateMultipartUploadCommand({
    ...place,
    ContentType: 'application/octet-stream',
    Metadata: assetMetadata(assetId, expected.digest),
  });
  const { UploadId } = await send(create, { signal });
  try {
    const hash = new ContentHash();
    const Parts = await uploadParts(connection, write, sizes, { ...place, UploadId }, hash);
    const content = hash.finish();
    mustMatch(content, expected);
    const complete = new CompleteMultipartUploadCommand({ ...place, UploadId, MultipartUpload: { Parts } });
    await send(complete, { longestMs: limits.storingMs });
    return content;
  } catch (error) {
    await send(new AbortMultipartUploadCommand({ ...place, UploadId })).catch(() => undefined);
    throw error;
  }
}

async function uploadParts(
  { client, limits }: Connection,
  { bytes, expected, signal }: ObjectWrite,
  { partBytes }: UploadSizes,
  upload: { Bucket: string; Key: string; UploadId: string | undefined },
  hash: ContentHash,
): Promise<{ PartNumber: number; ETag: string | undefined }[]> {
  const { sizeBytes } = expected;
  const eachBytes = Math.max(partBytes, Math.ceil(sizeBytes / maxParts));
  const splitter = createByteSplitter(hashed(untilAborted(bytes, signal), hash, expected));
  const parts: { PartNumber: number; ETag: string | undefined }[] = [];
  for (let start = 0; start < sizeBytes; start += eachBytes) {
    const PartNumber = parts.length + 1;
    const ContentLength = Math.min(eachBytes, sizeBytes - start);
    const { ETag } = await sendBody(
      exactly(ContentLength, splitter.take(ContentLength)),
      limits,
      (Body, abortSignal) =>
        client.send(new UploadPartCommand({ ...upload, PartNumber, ContentLength, Body }), { abortSignal }),
    );
    parts.push({ PartNumber, ETag });
  }
  // Reads to the end, so that bytes behind the announced size are noticed.
  for await (const _ of splitter.take(1)) continue;
  return parts;
}

async function* hashed(bytes: AsyncIterable<Uint8Array>, hash: ContentHash, expected: ExpectedContent) {
  for await (const piece of bytes) {
    hash.update(piece);
    if (hash.sizeBytes > expected.sizeBytes) mustMatch({ ...expected, sizeBytes: hash.sizeBytes }, expected);
    yield piece;
  }
}

/** A request whose body ends early would wait for the rest. */
async function* exactly(sizeBytes: number, bytes: AsyncIterable<Uint8Array>) {
  let sent = 0;
  for await (const piece of bytes) {
    sent += piece.length;
    yield piece;
  }
  if (sent !== sizeBytes)
    mustMatch({ sizeBytes: sent, digest: Buffer.alloc(0) }, { sizeBytes, digest: Buffer.alloc(0) });
}
