import {
  DeleteObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  type _Object,
  type HeadObjectCommandOutput,
} from '@aws-sdk/client-s3';
import {
  StorageError,
  type AssetStorage,
  type ExpectedContent,
  type ListedObject,
  type ObjectInfo,
} from '../asset-storage.ts';
import { hashContent, mustMatch } from '../content-hash.ts';
import { untilAborted } from '../until-aborted.ts';
import type { Connection } from './connection.ts';
import { createMultipartUploads } from './multipart.ts';
import { createDirectAccess } from './presign.ts';
import { readObject } from './read-object.ts';
import { attemptsOf, statusOf, storeFault } from './store-faults.ts';
import { singlePutBytes, writeObject, type ObjectWrite } from './write-object.ts';

/** What one answer lists at most. */
const maxListed = 1000;

/** Keeps assets in an S3-compatible store. */
export function createS3Storage(connection: Connection, mostAtOnce = singlePutBytes): AssetStorage {
  const { settings, limits } = connection;
  const Bucket = settings.bucket;
  const send = async <Answer>(
    signal: AbortSignal | undefined,
    request: () => Promise<Answer>,
  ): Promise<Answer> => {
    try {
      return await request();
    } catch (error) {
      signal?.throwIfAborted();
      throw storeFault(error, settings);
    }
  };
  const stat = async (Key: string, signal?: AbortSignal): Promise<ObjectInfo | undefined> => {
    const command = new HeadObjectCommand({ Bucket, Key, ChecksumMode: 'ENABLED' });
    try {
      return infoOf(await connection.send(command, { signal }));
    } catch (error) {
      signal?.throwIfAborted();
      if (statusOf(error) === 404 && (error as Error).name !== 'NoSuchBucket') return undefined;
      throw storeFault(error, settings);
    }
  };
  return {
    async write(key, bytes, expected, options) {
      const write = { key, bytes, expected, ...options };
      if (options.replaces !== true && isComplete(await stat(key, options.signal), expected))
        return verify(write);
      return writing(settings, write, (noted) => writeObject(connection, noted, mostAtOnce));
    },
    read: (key, range, signal) => send(signal, () => readObject(connection, key, range, signal)),
    stat,
    delete: (key, signal) => deleteObject(connection, key, signal),
    list: (after, signal) =>
      send(signal, async () => {
        const Prefix = settings.prefix === '' ? '' : `${settings.prefix}/`;
        const StartAfter = after === undefined ? {} : { StartAfter: after };
        const command = new ListObjectsV2Command({ Bucket, Prefix, ...StartAfter, MaxKeys: maxListed });
        const { Contents = [] } = await connection.send(command, { signal });
        return Contents.slice(0, maxListed).flatMap(listed);
      }),
    multipart: createMultipartUploads(connection),
    checkPace: limits.checkPace,
    servesParts: settings.capabilities?.ranges !== false,
    ...(settings.capabilities?.presignedUrls === true ? { direct: createDirectAccess(connection) } : {}),
  };
}

async function deleteObject(
  { send, settings }: Connection,
  Key: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    await send(new DeleteObjectCommand({ Bucket: settings.bucket, Key }), { signal });
  } catch (error) {
    signal?.throwIfAborted();
    const fault = storeFault(error, settings);
    // A store that refuses the second request may still do the first one.
    if (attemptsOf(error) === 1) throw fault;
    throw new StorageError('Unreachable', fault.message, { cause: error });
  }
}

/** Failures of the given bytes and aborts are no faults of the store. */
async function writing<Result>(
  settings: Connection['settings'],
  write: ObjectWrite,
  work: (write: ObjectWrite) => Promise<Result>,
): Promise<Result> {
  let failure: { error: unknown } | undefined;
  async function* noted() {
    try {
      yield* write.bytes;
    } catch (error) {
      failure = { error };
      throw error;
    }
  }
  try {
    return await work({ ...write, bytes: noted() });
  } catch (error) {
    write.signal.throwIfAborted();
    throw failure === undefined ? storeFault(error, settings) : failure.error;
  }
}

function isComplete(info: ObjectInfo | undefined, { sizeBytes, digest }: ExpectedContent): boolean {
  return info?.sizeBytes === sizeBytes && info.digest?.equals(digest) === true;
}

/** Checks bytes that the store has already. */
async function verify({ bytes, expected, signal }: ObjectWrite) {
  const content = await hashContent(untilAborted(bytes, signal), expected.sizeBytes);
  mustMatch(content, expected);
  return content;
}

function infoOf(head: HeadObjectCommandOutput): ObjectInfo {
  const { ContentLength = 0, ChecksumSHA256: checksum, ChecksumType: type, Metadata = {} } = head;
  // The checksum of an object that was uploaded in parts is one of checksums, with the number of parts behind it.
  const isOfWhole = checksum !== undefined && checksum.length === 44 && type !== 'COMPOSITE';
  const assetId = Metadata['nexigon-asset-id'];
  return {
    sizeBytes: ContentLength,
    ...(isOfWhole ? { digest: Buffer.from(checksum, 'base64') } : {}),
    ...(assetId === undefined ? {} : { assetId }),
  };
}

/** Leaves out what is no object of S3. */
function listed({ Key, Size = 0, LastModified }: _Object): ListedObject[] {
  if (Key === undefined || LastModified === undefined || !Number.isSafeInteger(Size) || Size < 0) return [];
  return [{ key: Key, sizeBytes: Size, modifiedAt: LastModified }];
}
