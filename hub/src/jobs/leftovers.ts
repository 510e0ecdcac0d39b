import type { Id } from '@corral/contract';
import { StorageError, type AssetStorage, type UnfinishedUpload } from '../assets/asset-storage.ts';
import { isProbeObject } from '../assets/probe-objects.ts';
import { partsOfKey } from '../assets/storage-key.ts';
import type { Storages } from '../assets/storages.ts';
import { unclaimedSentences } from '../assets/unclaimed-sentences.ts';
import { isUploadTail } from '../assets/upload-tails.ts';
import type { Executor } from '../executor/executor.ts';
import { systemCaller } from '../executor/system-caller.ts';

const uploadsPerLookup = 1000;

/** The parameters of the search. */
export interface LeftoverParts {
  readonly executor: Executor;
  readonly storages: Storages;
  /** As in `CollectorParts`. */
  readonly stopping?: AbortSignal;
  /** Ends the search after the current page of a listing. */
  readonly ending?: AbortSignal;
  /** Only what is older is found: an upload that has just begun is no leftover. */
  readonly before: Date;
  /** Called with the number of objects after each page of a listing. */
  readonly onListed?: (objects: number) => Promise<void>;
}

interface InStore {
  /** Raw; undefined for the data folder. */
  readonly storeId: string | undefined;
  readonly storageKey: string;
}

/** Something that a crash left behind in a store. */
export type Leftover =
  /** Files of writes that did not end. */
  | { readonly kind: 'UnfinishedWrites'; readonly files: number }
  /** The bytes of a resumable upload in the data folder. */
  | { readonly kind: 'UnfinishedUpload'; readonly uploadId: string }
  /** The parts of an upload in an object store that no asset waits for. */
  | (InStore & { readonly kind: 'OrphanedParts'; readonly uploadId: string })
  /** An object that a probe of the store wrote, or that holds the last bytes of an upload in parts. */
  | (InStore & { readonly kind: 'TemporaryObject' })
  /** An object of no asset. */
  | (InStore & { readonly kind: 'StrayObject'; readonly sizeBytes: number })
  /** An object whose asset never became available. */
  | (InStore & { readonly kind: 'UnfinishedAsset'; readonly assetId: Id<'asset'> });

/** Stores whose objects were not listed, at least not all. */
export type UnlistedStores =
  /** The store does not answer. */
  | { readonly kind: 'UnreachableStore'; readonly storeId: string | undefined; readonly why: string }
  /** A restored copy has not claimed them. */
  | { readonly kind: 'UnclaimedStores'; readonly why: string };

/** Finds what crashes left in all stores, page by page, and says which stores it could not list; it changes nothing. */
export async function* findLeftovers(parts: LeftoverParts): AsyncGenerator<Leftover | UnlistedStores, void> {
  const { executor, storages, before } = parts;
  const files = await storages.disk.unfinishedWrites(before);
  if (files > 0) yield { kind: 'UnfinishedWrites', files };
  yield* unfinishedUploads(storages, before);
  const { storeIds, unclaimed } = await executor.invoke(systemCaller, 'repositories_FindAssetStores', {});
  const why = unclaimedSentences(unclaimed);
  if (why !== undefined) yield { kind: 'UnclaimedStores', why };
  const ownDisk = (await storages.isDiskAuthoritative()) ? [undefined] : [];
  for (const storeId of [...ownDisk, ...storeIds]) {
    if (parts.ending?.aborted === true) return;
    try {
      yield* leftoversOf(parts, storeId, await storages.of(storeId ?? null));
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      yield { kind: 'UnreachableStore', storeId, why: error.message };
    }
  }
}

async function* unfinishedUploads({ disk }: Storages, before: Date): AsyncGenerator<Leftover, void> {
  for await (const { key: uploadId, modifiedAt } of disk.partials.list())
    if (modifiedAt < before) yield { kind: 'UnfinishedUpload', uploadId };
}

async function* leftoversOf(
  parts: LeftoverParts,
  storeId: string | undefined,
  storage: AssetStorage,
): AsyncGenerator<Leftover, void> {
  for (let after: string | undefined; ;) {
    const page = await storage.list(after);
    const old = page.filter(({ modifiedAt }) => modifiedAt < parts.before);
    for (const { key: storageKey } of old)
      if (isTemporary(storageKey)) yield { kind: 'TemporaryObject', storeId, storageKey };
    const known = await assetsOf(parts.executor, storeId, old.map(({ key }) => key).filter(isOfAsset));
    for (const { key: storageKey, sizeBytes } of old.filter(({ key }) => isOfAsset(key))) {
      const asset = known.get(storageKey);
      if (asset === undefined) yield { kind: 'StrayObject', storeId, storageKey, sizeBytes };
      else if (asset.status === 'Dangling')
        yield { kind: 'UnfinishedAsset', storeId, storageKey, assetId: asset.assetId };
    }
    await parts.onListed?.(page.length);
    after = page.at(-1)?.key;
    if (parts.ending?.aborted === true) return;
    if (after === undefined) break;
  }
  yield* orphanedParts(parts, storeId, storage);
}

/** Objects of probes and uploads, which have no row in the database; nobody needs them a day later. */
const isTemporary = (key: string): boolean => isProbeObject(key) || isUploadTail(key);

/** Whether the key is that of an asset; an object with any other key is left alone. */
const isOfAsset = (key: string): boolean => !isTemporary(key) && partsOfKey(key) !== undefined;

/** Uploads in parts that no asset refers to: the hub may crash between starting one and recording it. */
async function* orphanedParts(
  { executor, before, ending }: LeftoverParts,
  storeId: string | undefined,
  { multipart }: AssetStorage,
): AsyncGenerator<Leftover, void> {
  if (multipart === undefined) return;
  let page: UnfinishedUpload[] = [];
  const orphansOf = async (uploads: readonly UnfinishedUpload[]) => {
    const known = await assetsOf(
      executor,
      storeId,
      uploads.map(({ key }) => key),
    );
    return uploads.filter(({ key, uploadId }) => known.get(key)?.multipartId !== uploadId);
  };
  const found = ({ key: storageKey, uploadId }: UnfinishedUpload): Leftover => ({
    kind: 'OrphanedParts',
    storeId,
    storageKey,
    uploadId,
  });
  for await (const upload of multipart.unfinished()) {
    if (upload.startedAt < before && partsOfKey(upload.key) !== undefined) page.push(upload);
    if (ending?.aborted === true) return;
    if (page.length < uploadsPerLookup) continue;
    for (const orphan of await orphansOf(page)) yield found(orphan);
    page = [];
  }
  for (const orphan of await orphansOf(page)) yield found(orphan);
}

async function assetsOf(executor: Executor, storeId: string | undefined, storageKeys: readonly string[]) {
  if (storageKeys.length === 0) return new Map<string, never>();
  const input = { storeId, storageKeys: [...storageKeys] };
  const { assets } = await executor.invoke(systemCaller, 'repositories_FindAssetsByKey', input);
  return new Map(assets.map((asset) => [asset.storageKey, asset]));
}
