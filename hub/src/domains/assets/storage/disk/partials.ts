import { createReadStream } from 'node:fs';
import { constants, open, rm, stat, type FileHandle } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import {
  StorageError,
  type AssetStorage,
  type ExpectedContent,
  type ListedObject,
  type StoredContent,
  type WriteOptions,
} from '../asset-storage.ts';
import { type ContentHash, hashContent, mustMatch } from '../content-hash.ts';
import { createHashStates, type HashStates } from '../hash-states.ts';
import type { DiskRoom } from './disk-room.ts';
import { isFull, syncFile, unlessAbsent, UnsyncedError, withFiles } from './file-faults.ts';
import { filesOf } from './files-of.ts';
import { makeFolder } from '../../../../platform/files/make-folder.ts';
import { syncFolder } from './durable-folders.ts';
import { placeFile, type ObjectRoot } from './place-file.ts';
import { receiveContent } from './receive-content.ts';

/** A part of a resumable upload. */
export interface UploadPart {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Must be the size of what is kept. */
  readonly offset: number;
  /** The size of the whole upload. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  /** The SHA-256 of this part; if it differs, nothing of the part is kept. */
  readonly digest?: Buffer;
}

/** Where a complete upload goes. */
export interface UploadTarget extends WriteOptions {
  readonly storage: AssetStorage;
  readonly key: string;
}

/** The uploads that are not complete yet, by an id of letters, digits, `_`, `-` and dots. The caller sees to it that each has one writer. */
export interface Partials {
  /** How many bytes are kept; 0 if there is no such upload. */
  sizeOf(uploadId: string): Promise<number>;
  /** Opens the file of an upload, which is made if it is missing. */
  open(uploadId: string): Promise<FileHandle>;
  /** Adds a part and resolves with the new size once it is durable. What came before a failure of the source or an abort is kept. */
  append(uploadId: string, part: UploadPart): Promise<number>;
  /** Stores a complete upload under its key and forgets it. An upload with a wrong digest is discarded, an incomplete one kept. */
  commit(uploadId: string, expected: ExpectedContent, target: UploadTarget): Promise<StoredContent>;
  /** Succeeds also if there is no such upload. With a time, it is left alone if bytes have come since then. */
  discard(uploadId: string, unlessSince?: Date): Promise<void>;
  /** All uploads, by their ids, the `key`, in no order. They may be discarded meanwhile. */
  list(): AsyncIterable<ListedObject>;
}

/** The storage whose objects are in the same file system as the partials, so that a complete upload is only moved. */
export interface OwnStorage extends ObjectRoot {
  readonly storage: () => AssetStorage;
  readonly room: DiskRoom;
}

type ReceivedPart = UploadPart & Pick<OwnStorage, 'room'>;

const readBytes = 1_048_576;
const openFlags = constants.O_RDWR | constants.O_CREAT;

/** Keeps resumable uploads in a folder. The hash of an upload goes on with each part; after a restart the file is read again. */
export function createPartials(folder: string, own: OwnStorage): Partials {
  const states = createHashStates();
  const discard = (uploadId: string) => rm(pathOf(folder, uploadId), { force: true });
  return {
    sizeOf: (uploadId) =>
      withFiles(async () => (await unlessAbsent(stat(pathOf(folder, uploadId))))?.size ?? 0),
    open: (uploadId) => withFiles(() => openFile(folder, uploadId)),
    append: (uploadId, part) =>
      withFiles(async () => {
        const file = await openFile(folder, uploadId);
        try {
          const added = appendTo(file, uploadId, { ...part, room: own.room }, states).then(
            async (sizeBytes) => {
              // A complete one is placed at once.
              if (part.offset === 0 && sizeBytes < part.maxBytes) await syncFolder(folder);
              return sizeBytes;
            },
          );
          return await discardedIfUnsynced(added, () => discard(uploadId));
        } finally {
          await file.close();
        }
      }),
    commit: (uploadId, expected, target) =>
      withFiles(async () => {
        const path = pathOf(folder, uploadId);
        if (expected.sizeBytes === 0) await (await openFile(folder, uploadId)).close();
        const known = states.take(uploadId, (await unlessAbsent(stat(path)))?.size ?? 0);
        const content = known?.finish() ?? (await hashContent(readFile(path)));
        try {
          mustMatch(content, expected);
        } catch (error) {
          if (content.sizeBytes >= expected.sizeBytes) await discard(uploadId);
          throw error;
        }
        const stored = store(path, { expected, target, own, isSynced: known !== undefined });
        await discardedIfUnsynced(stored, () => discard(uploadId));
        return content;
      }),
    discard: (uploadId, unlessSince) =>
      withFiles(async () => {
        const kept = unlessSince && (await unlessAbsent(stat(pathOf(folder, uploadId))));
        if (unlessSince === undefined || kept === undefined || kept.mtime < unlessSince)
          await discard(uploadId);
      }),
    list: () => filesOf(folder),
  };
}

async function openFile(folder: string, uploadId: string): Promise<FileHandle> {
  const path = pathOf(folder, uploadId);
  const opened = await unlessAbsent(open(path, openFlags, 0o600));
  if (opened !== undefined) return opened;
  await makeFolder(folder);
  return open(path, openFlags, 0o600);
}

async function discardedIfUnsynced<Result>(
  work: Promise<Result>,
  discard: () => Promise<void>,
): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof UnsyncedError) await discard();
    throw error;
  }
}

async function appendTo(
  file: FileHandle,
  uploadId: string,
  part: ReceivedPart,
  states: HashStates,
): Promise<number> {
  mustContinue((await file.stat()).size, part.offset);
  const hash = states.take(uploadId, part.offset);
  const keepHash = async (): Promise<number> => {
    const { size } = await file.stat();
    // Also after a failure of the source, behind which the hash is as far as the file.
    if (hash?.sizeBytes === size) states.keep(uploadId, hash);
    return size;
  };
  try {
    await addPart(file, part, hash);
  } catch (error) {
    if (error instanceof UnsyncedError) throw error;
    await keepHash();
    throw error;
  }
  return keepHash();
}

const readFile = (path: string) => createReadStream(path, { highWaterMark: readBytes });

interface CompleteUpload {
  readonly expected: ExpectedContent;
  readonly target: UploadTarget;
  readonly own: OwnStorage;
  readonly isSynced: boolean;
}

async function store(path: string, { expected, target, own, isSynced }: CompleteUpload): Promise<void> {
  const { storage, key } = target;
  if (storage !== own.storage()) {
    await storage.write(key, readFile(path), expected, target);
    return rm(path, { force: true });
  }
  // Whoever wrote the bytes may have been killed before they were durable; the hash of what is read does not tell.
  if (!isSynced) await syncFile(path);
  await placeFile(path, own, key);
}

function mustContinue(sizeBytes: number, offset: number): void {
  if (sizeBytes !== offset)
    throw new StorageError(
      'SizeMismatch',
      `The upload has ${sizeBytes} bytes, so it goes on there and not at ${offset}.`,
    );
}

/** Adds a part; cuts off a part that may not be kept. */
async function addPart(file: FileHandle, part: ReceivedPart, hash: ContentHash | undefined): Promise<void> {
  const digest = createHash('sha256');
  const bytes = part.digest === undefined ? part.bytes : alsoHashed(part.bytes, digest);
  try {
    await receiveContent(file, { ...part, bytes, hash, keepsPart: true });
    if (part.digest !== undefined) mustHaveDigest(digest.digest(), part.digest);
  } catch (error) {
    // On a full disk a part that cannot be completed would take the room of all others.
    const isUseless = error instanceof StorageError || isFull(error);
    if (error instanceof UnsyncedError) throw error;
    if (part.digest !== undefined || isUseless) await file.truncate(part.offset);
    throw error;
  }
}

/** Throws a StorageError unless a part has the digest that its client sent along. */
export function mustHaveDigest(digest: Buffer, expected: Buffer): void {
  if (!digest.equals(expected))
    throw new StorageError('DigestMismatch', 'The bytes of this part do not have the digest of its header.');
}

/** The same bytes; each is added to the hash first. */
export async function* alsoHashed(bytes: AsyncIterable<Uint8Array>, digest: ReturnType<typeof createHash>) {
  for await (const piece of bytes) {
    digest.update(piece);
    yield piece;
  }
}

function pathOf(folder: string, uploadId: string): string {
  if (!/^[\w-][\w.-]{0,127}$/.test(uploadId)) throw new Error(`"${uploadId}" is no id of an upload.`);
  return join(folder, uploadId);
}
