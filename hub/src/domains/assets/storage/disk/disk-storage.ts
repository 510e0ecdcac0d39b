import { randomBytes } from 'node:crypto';
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { StorageError, type AssetStorage, type ByteRange } from '../asset-storage.ts';
import { createDiskRoom, type DiskRoom } from './disk-room.ts';
import { createDurableFolders } from './durable-folders.ts';
import { readFault, syncFile, unlessAbsent, withFiles } from './file-faults.ts';
import { filePieces } from './file-pieces.ts';
import { someFilesOf } from './files-of.ts';
import { fileLister } from './list-files.ts';
import { createPartials, type Partials } from './partials.ts';
import { removedIfUnsynced, removeFile, type ObjectRoot } from './place-file.ts';

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
  const unfinished = join(folder, 'partials');
  const room = createDiskRoom(folder, reserveBytes);
  const objects = { root, folders: createDurableFolders(root) };
  const listed = fileLister(root, maxListed);
  const partials = createPartials(unfinished, { ...objects, room, storage: () => storage });
  const storage: DiskStorage = {
    partials,
    async write(key, bytes, expected, options) {
      mustBeKey(key);
      const { signal } = options;
      const uploadId = `${options.assetId}.${randomBytes(8).toString('hex')}`;
      try {
        await partials.append(uploadId, { bytes, offset: 0, maxBytes: expected.sizeBytes, signal });
        return await partials.commit(uploadId, expected, { ...options, storage, key });
      } catch (error) {
        await partials.discard(uploadId).catch(() => undefined);
        throw error;
      }
    },
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
    begunBytes: recently((now) => sizesOf(unfinished, new Date(now.getTime() - pauseMs))),
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

async function makeDurable(objects: ObjectRoot, key: string): Promise<void> {
  const synced = syncFile(join(objects.root, key)).then(() => objects.folders.sync(key, []));
  await removedIfUnsynced(objects, key, synced);
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
async function sizesOf(folder: string, since: Date): Promise<ReadonlyMap<string, number>> {
  const sizes = new Map<string, number>();
  for (const { key, sizeBytes, modifiedAt } of await someFilesOf(folder, maxLooked)) {
    if (modifiedAt < since) continue;
    const name = key.replace(/^.*_|\..*/g, '');
    sizes.set(name, (sizes.get(name) ?? 0) + sizeBytes);
  }
  return new Map([...sizes].sort(([, one], [, other]) => other - one).slice(0, maxCounted));
}

/** Keys come from `storageKey`; one that could leave the folder is a mistake in the program. */
function mustBeKey(key: string): string {
  const isKey = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/.test(key);
  if (!isKey) throw new StorageError('Refused', 'The key of the asset is no path in the data folder.');
  return key;
}
