import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { storageKey } from '../../domains/assets/storage/storage-key.ts';
import { DamagedBackupError } from './DamagedBackupError.ts';

/** An asset as the database names it. Ids are raw. */
export interface NamedAsset {
  readonly assetId: string;
  readonly repositoryId: string;
  /** The SHA-256, in hex. */
  readonly digest: string;
  readonly sizeBytes: number;
  /** Null for the data folder. */
  readonly storeId: string | null;
  /** Where it is in its store. */
  readonly storageKey: string;
}

/** Where the bytes of an asset are: in the backup, only in their S3-compatible store, or nowhere, because they could not be read. */
export type AssetPlace = 'copied' | 'store' | 'unreadable';

/** An asset in the list of a backup. */
export interface ListedAsset extends NamedAsset {
  readonly place: AssetPlace;
}

const lineForm =
  /^(?:(copied|store|unreadable)\t)?(\w+)\t(\w+)\t([0-9a-f]{64})\t(\d+)\t(\w+|\\N)\t([\w./-]+)$/;

/** The line of an asset in the list of a backup. */
export function assetLine(asset: ListedAsset): string {
  const { place, assetId, repositoryId, digest, sizeBytes, storeId } = asset;
  return `${[place, assetId, repositoryId, digest, sizeBytes, storeId ?? '\\N', asset.storageKey].join('\t')}\n`;
}

/** The assets of a file with one line each; lines without a place are those of the database. */
export async function* readAssetList(folder: string, path: string): AsyncGenerator<ListedAsset> {
  const input = createReadStream(join(folder, path));
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    const found = lineForm.exec(line);
    if (found === null) throw new DamagedBackupError(`The list of assets, ${path}, has a malformed line.`);
    const [, place = 'copied', assetId = '', repositoryId = '', digest = '', size, storeId = '', key = ''] =
      found;
    yield {
      place: place as AssetPlace,
      assetId,
      repositoryId,
      digest,
      sizeBytes: Number(size),
      storeId: storeId === '\\N' ? null : storeId,
      storageKey: key,
    };
  }
}

/** The key of an asset in a backup: its key in the data folder, whatever the prefix of its store. */
export function keyInBackup({ repositoryId, digest }: NamedAsset): string {
  return storageKey('', repositoryId, Buffer.from(digest, 'hex'));
}

/** What must be stored under the key. */
export function expectedOf({ sizeBytes, digest }: NamedAsset): { sizeBytes: number; digest: Buffer } {
  return { sizeBytes, digest: Buffer.from(digest, 'hex') };
}

/** Maps items concurrently, at most `concurrency` at a time, and yields the results in the order of the items. */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item>,
  concurrency: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const running: Promise<Result>[] = [];
  try {
    for await (const item of items) {
      const started = work(item);
      // It may reject before it is awaited, which must not count as unhandled.
      started.catch(() => undefined);
      running.push(started);
      const oldest = running.length < concurrency ? undefined : running.shift();
      if (oldest !== undefined) yield await oldest;
    }
    for (let oldest = running.shift(); oldest !== undefined; oldest = running.shift()) yield await oldest;
  } finally {
    await Promise.allSettled(running);
  }
}
