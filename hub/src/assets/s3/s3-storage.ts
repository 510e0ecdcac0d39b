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
import { abortedBy, type Connection } from './connection.ts';
import { createMultipartUploads } from './multipart.ts';
import { createDirectAccess } from './presign.ts';
import { readObject } from './read-object.ts';
import { attemptsOf, statusOf, storeFault } from './store-faults.ts';
import { s3Sizes, writeObject, type ObjectWrite, type UploadSizes } from './write-object.ts';

/** Keeps assets in an S3-compatible store. */
export function createS3Storage(connection: Connection, sizes: UploadSizes = s3Sizes): AssetStorage {
  const { client, settings } = connection;
  const Bucket = settings.bucket;
  const send = async <Answer>(request: () => Promise<Answer>): Promise<Answer> => {
    try {
      return await request();
    } catch (error) {
      throw storeFault(error, settings);
    }
  };
  const stat = async (Key: string): Promise<ObjectInfo | undefined> => {
    try {
      return infoOf(await client.send(new HeadObjectCommand({ Bucket, Key, ChecksumMode: 'ENABLED' })));
    } catch (error) {
      if (statusOf(error) === 404 && (error as Error).name !== 'NoSuchBucket') return undefined;
      throw storeFault(error, settings);
    }
  };
  return {
    async write(key, bytes, expected, options) {
      const write = { key, bytes, expected, ...options };
      if (options.replaces !== true && isComplete(await stat(key), expected)) return verify(write);
      return writing(settings, write, (noted) => writeObject(connection, noted, sizes));
    },
    read: (key, range, signal) => send(() => readObject(connection, key, range, signal)),
    stat,
    delete: (key, signal) => deleteObject(connection, key, signal),
    list: (after) =>
      send(async () => {
        const Prefix = settings.prefix === '' ? '' : `${settings.prefix}/`;
        const StartAfter = after === undefined ? {} : { StartAfter: after };
        const command = new ListObjectsV2Command({ Bucket, Prefix, ...StartAfter, MaxKeys: 1000 });
        return ((await client.send(command)).Contents ?? []).flatMap(listed);
      }),
    multipart: createMultipartUploads(connection),
    trustsSize: settings.trustsSize === true,
    servesParts: settings.capabilities?.ranges !== false,
    ...(settings.capabilities?.presignedUrls === true ? { direct: createDirectAccess(connection) } : {}),
  };
}

async function deleteObject(
  { client, settings }: Connection,
  Key: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    await client.send(new DeleteObjectCommand({ Bucket: settings.bucket, Key }), abortedBy(signal));
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

function listed({ Key, Size, LastModified }: _Object): ListedObject[] {
  if (Key === undefined || LastModified === undefined) return [];
  return [{ key: Key, sizeBytes: Size ?? 0, modifiedAt: LastModified }];
}
