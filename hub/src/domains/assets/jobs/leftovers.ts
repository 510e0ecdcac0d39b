import { type Id, ids } from '@corral/contract';
import type { Executor } from '../../../calls/executor.ts';
import { systemCaller } from '../../../calls/handler.ts';
import { type AssetStorage, StorageError, type UnfinishedUpload } from '../storage/asset-storage.ts';
import { isProbeObject } from '../storage/probe-objects.ts';
import { belowPrefix, partsOfKey, storageKey } from '../storage/storage-key.ts';
import type { Storages } from '../storage/storages.ts';
import { unclaimedMessages } from '../storage/unclaimed-messages.ts';
import { FindAssetStores } from '../internal/FindAssetStores.ts';
import { FindAssetsByKey } from '../internal/FindAssetsByKey.ts';

const uploadsPerLookup = 1000;
/** How long the other stores wait while one is listed, and what was found there is removed. */
const turnMs = 60_000;
/** How long that takes for one store in all: its owner decides what it lists. A million objects take some minutes. */
const longestMs = 5 * 3_600_000;

/** The parameters of the search. */
export interface LeftoverParts {
  readonly executor: Executor;
  readonly storages: Storages;
  /** As in `CollectorParts`. */
  readonly stopping?: AbortSignal;
  /** Ends the search. */
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

/** A store whose objects are listed. */
interface ListedStore {
  /** Raw; undefined for the data folder. */
  readonly storeId: string | undefined;
  readonly prefix: string;
  /** The only repository that keeps assets there; undefined if all do. */
  readonly repositoryId?: Id<'repository'> | undefined;
}

/** Something that a crash left behind in a store. */
export type Leftover =
  /** The bytes of an upload in the data folder. */
  | { readonly kind: 'UnfinishedUpload'; readonly uploadId: string }
  /** The parts of an upload in an object store that no asset waits for. */
  | (InStore & { readonly kind: 'OrphanedParts'; readonly uploadId: string })
  /** An object that a probe of the store wrote. */
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

/** A store that is listed, in turn with the others. */
interface Turn {
  readonly store: ListedStore;
  readonly search: AsyncGenerator<Leftover | undefined, void>;
  /** How long it has had its turn so far. */
  spentMs: number;
}

/**
 * Finds what crashes left in all stores, page by page, and says which stores it could not list; it changes nothing. The stores take turns, so that one that is slow, or whose list never
 * ends, does not keep the others from being looked at.
 */
export async function* findLeftovers(parts: LeftoverParts): AsyncGenerator<Leftover | UnlistedStores, void> {
  const { executor, storages, before } = parts;
  yield* unfinishedUploads(storages, before);
  const { stores, unclaimed } = await executor.run(systemCaller, FindAssetStores);
  const why = unclaimedMessages(unclaimed);
  if (why !== undefined) yield { kind: 'UnclaimedStores', why };
  const disk: ListedStore = { storeId: undefined, prefix: '' };
  const all = [...((await storages.isDiskAuthoritative()) ? [disk] : []), ...stores];
  const turns: Turn[] = all.map((store) => ({ store, search: leftoversOf(parts, store), spentMs: 0 }));
  for (let turn = turns.shift(); turn !== undefined; turn = turns.shift()) {
    const hasMore = yield* takeTurn(parts, turn);
    if (parts.ending?.aborted === true) return;
    if (hasMore) turns.push(turn);
  }
}

/** Goes on with one store for a page, or for the time of a turn. Returns whether there is more. */
async function* takeTurn(
  { ending }: LeftoverParts,
  turn: Turn,
): AsyncGenerator<Leftover | UnlistedStores, boolean> {
  const { storeId } = turn.store;
  const startedAtMs = performance.now();
  try {
    for (;;) {
      const { done, value } = await turn.search.next();
      if (done === true) return false;
      if (value !== undefined) yield value;
      const spentMs = performance.now() - startedAtMs;
      if (value !== undefined && spentMs < turnMs) continue;
      turn.spentMs += spentMs;
      if (turn.spentMs < longestMs) return true;
      yield {
        kind: 'UnreachableStore',
        storeId,
        why: 'A store lists so many objects that not all were looked at.',
      };
      return false;
    }
  } catch (error) {
    if (ending?.aborted === true) return false;
    if (!(error instanceof StorageError)) throw error;
    yield { kind: 'UnreachableStore', storeId, why: error.message };
    return false;
  }
}

async function* unfinishedUploads({ disk }: Storages, before: Date): AsyncGenerator<Leftover, void> {
  for await (const { key: uploadId, modifiedAt } of disk.partials.list())
    if (modifiedAt < before) yield { kind: 'UnfinishedUpload', uploadId };
}

/** Yields undefined after each page. */
async function* leftoversOf(
  parts: LeftoverParts,
  store: ListedStore,
): AsyncGenerator<Leftover | undefined, void> {
  const { storeId } = store;
  const open = () => parts.storages.of(storeId ?? null);
  for (let after: string | undefined; ;) {
    const page = await (await open()).list(after, parts.ending);
    const old = page.filter(({ modifiedAt }) => modifiedAt < parts.before);
    for (const { key } of old)
      if (isTemporary(store, key)) yield { kind: 'TemporaryObject', storeId, storageKey: key };
    const ofAssets = old.filter(({ key }) => isOfAsset(store, key));
    const known = await assetsOf(parts.executor, store, ofAssets.map(keyOf));
    for (const { key, sizeBytes } of ofAssets) {
      const asset = known.get(key);
      if (asset === undefined) yield { kind: 'StrayObject', storeId, storageKey: key, sizeBytes };
      else if (asset.status === 'Dangling' && asset.storeId === storeId)
        yield { kind: 'UnfinishedAsset', storeId, storageKey: key, assetId: asset.assetId };
    }
    await parts.onListed?.(page.length);
    after = page.at(-1)?.key;
    if (after === undefined) break;
    yield undefined;
  }
  yield* orphanedParts(parts, store, await open());
}

const keyOf = ({ key }: { readonly key: string }): string => key;

/** Objects of probes, which have no row in the database; nobody needs them a day later. Those below a longer prefix may be of another hub. */
const isTemporary = ({ prefix }: ListedStore, key: string): boolean =>
  isProbeObject(key) && key.startsWith(belowPrefix(prefix, '.corral-'));

/** Whether the key is that of an asset in this store; an object with any other key is left alone. */
function isOfAsset({ prefix, repositoryId: owner }: ListedStore, key: string): boolean {
  const parts = partsOfKey(key);
  if (parts === undefined || storageKey(prefix, parts.repositoryId, parts.digest) !== key) return false;
  return owner === undefined || owner === ids.repository.of(parts.repositoryId);
}

/** Uploads in parts that no asset refers to: the hub may crash between starting one and recording it. */
async function* orphanedParts(
  { executor, before, ending }: LeftoverParts,
  store: ListedStore,
  { multipart }: AssetStorage,
): AsyncGenerator<Leftover | undefined, void> {
  if (multipart === undefined) return;
  let [page, listed]: [UnfinishedUpload[], number] = [[], 0];
  const orphansOf = async (uploads: readonly UnfinishedUpload[]) => {
    const known = await assetsOf(executor, store, uploads.map(keyOf));
    return uploads.filter(({ key, uploadId }) => known.get(key)?.multipartId !== uploadId);
  };
  const found = ({ key, uploadId }: UnfinishedUpload): Leftover => ({
    kind: 'OrphanedParts',
    storeId: store.storeId,
    storageKey: key,
    uploadId,
  });
  for await (const upload of multipart.unfinished(ending)) {
    if (upload.startedAt < before && isOfAsset(store, upload.key)) page.push(upload);
    if ((listed += 1) % uploadsPerLookup > 0) continue;
    for (const orphan of await orphansOf(page)) yield found(orphan);
    page = [];
    yield undefined;
  }
  for (const orphan of await orphansOf(page)) yield found(orphan);
}

async function assetsOf(executor: Executor, { storeId }: ListedStore, storageKeys: readonly string[]) {
  if (storageKeys.length === 0) return new Map<string, never>();
  const input = { isOnDisk: storeId === undefined, storageKeys: [...storageKeys] };
  const { assets } = await executor.run(systemCaller, FindAssetsByKey, input);
  return new Map(assets.map((asset) => [asset.storageKey, asset]));
}
