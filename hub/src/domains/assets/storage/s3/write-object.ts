import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import type { ExpectedContent, StoredContent, StoredPart, WriteOptions } from '../asset-storage.ts';
import { ContentHash, mustMatch } from '../content-hash.ts';
import { untilAborted } from '../until-aborted.ts';
import { createByteSplitter } from '../byte-splitter.ts';
import { uploadPartBytes } from '../upload-parts.ts';
import type { Connection } from './connection.ts';
import { withholdTail } from './withhold-tail.ts';
import { assetMetadata } from './metadata.ts';
import { createMultipartUploads } from './multipart.ts';
import { sendBody } from './send-body.ts';
import { signDigest } from './sign-digest.ts';

/** The largest object that one PUT may carry, by S3. */
export const singlePutBytes = 5 * 1024 ** 3;

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
  mostAtOnce: number,
): Promise<StoredContent> {
  return write.expected.sizeBytes > mostAtOnce
    ? writeParts(connection, write)
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

/** Uploads an object that is too large for one PUT. */
async function writeParts(
  connection: Connection,
  { key, bytes, expected, assetId, signal, replaces = false }: ObjectWrite,
): Promise<StoredContent> {
  const uploads = createMultipartUploads(connection);
  const uploadId = await uploads.start(key, { assetId, digest: expected.digest });
  const splitter = createByteSplitter(untilAborted(bytes, signal));
  const hash = new ContentHash();
  const parts: StoredPart[] = [];
  try {
    for (;;) {
      const part = await collected(splitter.take(uploadPartBytes), hash);
      if (hash.sizeBytes > expected.sizeBytes)
        mustMatch({ ...expected, sizeBytes: hash.sizeBytes }, expected);
      if (part.length === 0) break;
      const digest = createHash('sha256').update(part).digest();
      const named = { number: parts.length + 1, sizeBytes: part.length, digest };
      parts.push(await uploads.write(key, uploadId, named, Readable.from([part])));
    }
    const content = hash.finish();
    mustMatch(content, expected);
    await uploads.complete(key, uploadId, { parts, replaces });
    return content;
  } catch (error) {
    await uploads.abort(key, uploadId).catch(() => undefined);
    throw error;
  } finally {
    await splitter.close();
  }
}

async function collected(pieces: AsyncIterable<Uint8Array>, hash: ContentHash): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) {
    hash.update(piece);
    all.push(piece);
  }
  return Buffer.concat(all);
}
