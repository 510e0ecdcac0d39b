import { randomBytes } from 'node:crypto';
import { open, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  StorageError,
  type AssetStorage,
  type ByteRange,
  type ExpectedContent,
  type StoredContent,
  type WriteOptions,
} from '../asset-storage.ts';
import { ContentHash, mustMatch } from '../content-hash.ts';
import { makeFolder } from '../../../../platform/files/make-folder.ts';
import { createDiskRoom, type DiskRoom } from './disk-room.ts';
import { createDurableFolders } from './durable-folders.ts';
import { readFault, syncFile, unlessAbsent, withFiles } from './file-faults.ts';
import { filePieces } from './file-pieces.ts';
import { filesOf, someFilesOf } from './files-of.ts';
import { fileLister } from './list-files.ts';
import { createPartials, type Partials } from './partials.ts';
import { placeFile, removedIfUnsynced, removeFile, type ObjectRoot } from './place-file.ts';
import { receiveContent } from './receive-content.ts';

/** The assets in the data folder of the hub. */
export interface DiskStorage extends AssetStorage {
  readonly partials: Partials;
  /** What may still be written. */
  readonly room: DiskRoom;
  /**
   * How many bytes there are of uploads that are under way, by their raw asset ids: those whose files grew within the last ten minutes. The 256 largest of at most 1,000
   * files, as they were when it was asked last, more than a second ago: whoever announces an asset does not wait for the files that others leave behind.
   */
  begunBytes(now: Date): Promise<ReadonlyMap<string, number>>;
  /** Whether it has any asset. */
  hasObjects(): Promise<boolean>;
  /** The number of files that writes before a crash left behind. */
  unfinishedWrites(olderThan: Date): Promise<number>;
  /** Removes them, and resolves with the number of removed files. */
  sweep(olderThan: Date): Promise<number>;
}

/** How the disk of a folder is used. */
interface DiskOptions {
  /** How much of the file system assets leave free; by default 5 %, at most 1 GiB. */
  readonly reserveBytes?: number | undefined;
}

const maxListed = 1000;
const maxLooked = 1_000;
const maxCounted = 256;
/** An upload that has paused for longer no longer counts as under way, and may find less room when it goes on. */
const pauseMs = 600_000;

/** Keeps assets as files below a folder, which it makes when the first one is written. */
export function createDiskStorage(folder: string, { reserveBytes }: DiskOptions = {}): DiskStorage {
  const root = join(folder, 'objects');
  const temporaries = join(folder, 'tmp');
  const unfinished = join(folder, 'partials');
  const room = createDiskRoom(folder, reserveBytes);
  const objects = { root, folders: createDurableFolders(root) };
  const listed = fileLister(root, maxListed);
  const storage: DiskStorage = {
    partials: createPartials(unfinished, { ...objects, room, storage: () => storage }),
    write: (key, bytes, expected, options) =>
      withFiles(() =>
        writeObject({ ...objects, temporaries, room }, mustBeKey(key), bytes, expected, options),
      ),
    makeDurable: (key) => withFiles(() => makeDurable(objects, mustBeKey(key))),
    read: (key, range, signal) => readObject(join(root, mustBeKey(key)), range, signal),
    stat: (key) =>
      withFiles(async () => {
        const file = await unlessAbsent(stat(join(root, mustBeKey(key))));
        return file === undefined ? undefined : { sizeBytes: file.size };
      }),
    delete: (key) => withFiles(() => removeFile(objects, mustBeKey(key))),
    list: (after = '') => withFiles(() => listed(after)),
    hasObjects: () => withFiles(async () => (await fileLister(root, 1)('')).length > 0),
    room,
    begunBytes: recently((now) => sizesOf([temporaries, unfinished], new Date(now.getTime() - pauseMs))),
    unfinishedWrites: (olderThan) =>
      withFiles(() => forOldFiles(temporaries, olderThan, async () => undefined)),
    sweep: (olderThan) =>
      withFiles(() => forOldFiles(temporaries, olderThan, (path) => rm(path, { force: true }))),
  };
  return storage;
}

/** A second is short beside the time of a large upload, and many ask within one. */
const recentMs = 1_000;

/** The last result of work, which is done again in the background once a second has passed. Only the first call waits. */
function recently<Result>(work: (now: Date) => Promise<Result>): (now: Date) => Promise<Result> {
  let last: Promise<Result> | undefined;
  let isWorking = false;
  let doneAtMs = 0;
  const begin = (now: Date): Promise<Result> => {
    isWorking = true;
    return work(now).finally(() => {
      isWorking = false;
      doneAtMs = performance.now();
    });
  };
  return (now) => {
    if (last === undefined) {
      last = begin(now);
      last.catch(() => (last = undefined));
    } else if (!isWorking && performance.now() - doneAtMs >= recentMs) {
      const next = begin(now);
      next.then(
        () => (last = next),
        () => undefined,
      );
    }
    return last;
  };
}

interface Folders extends ObjectRoot {
  readonly temporaries: string;
  readonly room: DiskRoom;
}

async function writeObject(
  { temporaries, room, ...objects }: Folders,
  key: string,
  bytes: AsyncIterable<Uint8Array>,
  expected: ExpectedContent,
  { signal, assetId }: WriteOptions,
): Promise<StoredContent> {
  const temporary = join(temporaries, `${assetId.replaceAll(/\W/g, '')}.${randomBytes(8).toString('hex')}`);
  const { sizeBytes } = expected;
  try {
    const hash = new ContentHash();
    const file = await openNew(temporary);
    try {
      await receiveContent(file, { room, bytes, offset: 0, maxBytes: sizeBytes, signal, hash });
    } finally {
      await file.close();
    }
    const content = hash.finish();
    mustMatch(content, expected);
    await placeFile(temporary, objects, key);
    return content;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function makeDurable(objects: ObjectRoot, key: string): Promise<void> {
  const synced = syncFile(join(objects.root, key)).then(() => objects.folders.sync(key, []));
  await removedIfUnsynced(objects, key, synced);
}

/** Makes its folder when that is missing. */
async function openNew(path: string): Promise<FileHandle> {
  const opened = await unlessAbsent(open(path, 'wx', 0o600));
  if (opened !== undefined) return opened;
  await makeFolder(dirname(path));
  return open(path, 'wx', 0o600);
}

async function readObject(
  path: string,
  range: ByteRange | undefined,
  signal: AbortSignal | undefined,
): Promise<AsyncIterable<Uint8Array>> {
  signal?.throwIfAborted();
  const file = await open(path, 'r').catch((error: unknown) => {
    throw readFault(error);
  });
  return filePieces(file, range, signal);
}

/** The bytes of the largest files that grew since then, by the raw ids in their names, such as `ID` and `repo_a_ID.1f`. */
async function sizesOf(folders: readonly string[], since: Date): Promise<ReadonlyMap<string, number>> {
  const sizes = new Map<string, number>();
  for (const folder of folders)
    for (const { key, sizeBytes, modifiedAt } of await someFilesOf(folder, maxLooked)) {
      if (modifiedAt < since) continue;
      const name = key.replace(/^.*_|\..*/g, '');
      sizes.set(name, (sizes.get(name) ?? 0) + sizeBytes);
    }
  return new Map([...sizes].sort(([, one], [, other]) => other - one).slice(0, maxCounted));
}

/** Resolves with the number of files. */
async function forOldFiles(
  folder: string,
  olderThan: Date,
  work: (path: string) => Promise<void>,
): Promise<number> {
  let count = 0;
  for await (const { key: name, modifiedAt } of filesOf(folder)) {
    if (modifiedAt >= olderThan) continue;
    await work(join(folder, name));
    count += 1;
  }
  return count;
}

/** Keys come from `storageKey`; one that could leave the folder is a mistake in the program. */
function mustBeKey(key: string): string {
  const isKey = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/.test(key);
  if (!isKey) throw new StorageError('Refused', 'The key of the asset is no path in the data folder.');
  return key;
}
