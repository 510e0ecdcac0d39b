import { ActionError, type Actor, type Id } from '@corral/contract';
import {
  StorageError,
  unfinishedUploadMs,
  type ListedObject,
  type MultipartUploads,
  type UnfinishedUpload,
} from '../assets/asset-storage.ts';
import { isProbeObject } from '../assets/probe-objects.ts';
import { partsOfKey } from '../assets/storage-key.ts';
import type { Storages } from '../assets/storages.ts';
import { isUploadTail } from '../assets/upload-tails.ts';
import type { Executor } from '../executor/executor.ts';
import { deleteMarkedAssets } from './collect-assets.ts';

const system: Actor = { actor: 'System', kind: 'System' };
const caller = { actor: system, origin: {} };

interface SweepNeeds {
  readonly executor: Executor;
  readonly storages: Storages;
  readonly now: () => Date;
}

/**
 * Removes what crashes left behind: unfinished writes and uploads, objects of checks of a store, and objects of no asset. Finishes uploads whose bytes are there but whose client died before the
 * asset became available. Rejects with the stores that did not answer, after it has swept the others.
 */
export async function sweepStores(needs: SweepNeeds): Promise<void> {
  const { executor, storages, now } = needs;
  // Nothing that is younger is touched: an upload may be on its way.
  const before = new Date(now().getTime() - unfinishedUploadMs);
  await storages.disk.sweep(before);
  await sweepPartials(storages, before);
  const { storeIds } = await executor.invoke(caller, 'repositories_FindAssetStores', {});
  const problems: string[] = [];
  for (const storeId of [undefined, ...storeIds]) {
    const problem = await sweepStore(needs, storeId, before).catch(sentenceOf);
    if (problem !== undefined) problems.push(problem);
  }
  await deleteMarkedAssets(executor);
  if (problems.length > 0) throw new Error(problems.join(' '));
}

function sentenceOf(error: unknown): string {
  if (error instanceof StorageError) return error.message;
  throw error;
}

async function sweepPartials({ disk }: Storages, before: Date): Promise<void> {
  for (let after: string | undefined; ;) {
    const page = await disk.partials.list(after);
    for (const { key, modifiedAt } of page) if (modifiedAt < before) await disk.partials.discard(key);
    after = page.at(-1)?.key;
    if (after === undefined) return;
  }
}

async function sweepStore(needs: SweepNeeds, storeId: string | undefined, before: Date): Promise<undefined> {
  const storage = await needs.storages.of(storeId ?? null);
  for (let after: string | undefined; ;) {
    const page = await storage.list(after);
    const old = page.filter(({ modifiedAt }) => modifiedAt < before);
    for (const { key } of old) if (isLeftOver(key)) await storage.delete(key);
    await sweepObjects(
      needs.executor,
      storeId,
      old.filter(({ key }) => !isLeftOver(key)),
    );
    after = page.at(-1)?.key;
    if (after === undefined) break;
  }
  if (storage.multipart !== undefined) await sweepUploads(needs.executor, storeId, storage.multipart, before);
  return undefined;
}

/** What is no asset and has no row: nobody needs it a day later. */
const isLeftOver = (key: string): boolean => isProbeObject(key) || isUploadTail(key);

const maxAtOnce = 1000;

/** Aborts uploads in parts that no asset waits for: a crash may come before their asset knows them. */
async function sweepUploads(
  executor: Executor,
  storeId: string | undefined,
  multipart: MultipartUploads,
  before: Date,
): Promise<void> {
  let page: UnfinishedUpload[] = [];
  for await (const upload of multipart.unfinished()) {
    if (upload.startedAt < before) page.push(upload);
    if (page.length === maxAtOnce) {
      await abortUnknown(executor, storeId, multipart, page);
      page = [];
    }
  }
  await abortUnknown(executor, storeId, multipart, page);
}

async function abortUnknown(
  executor: Executor,
  storeId: string | undefined,
  multipart: MultipartUploads,
  uploads: readonly UnfinishedUpload[],
): Promise<void> {
  if (uploads.length === 0) return;
  const storageKeys = uploads.map(({ key }) => key).filter((key) => partsOfKey(key) !== undefined);
  const { assets } = await executor.invoke(caller, 'repositories_FindAssetsByKey', { storeId, storageKeys });
  const known = new Map(assets.map((asset) => [asset.storageKey, asset.multipartId]));
  // An upload to another kind of key is not ours.
  for (const { key, uploadId } of uploads)
    if (partsOfKey(key) !== undefined && known.get(key) !== uploadId) await multipart.abort(key, uploadId);
}

async function sweepObjects(
  executor: Executor,
  storeId: string | undefined,
  objects: readonly ListedObject[],
): Promise<void> {
  if (objects.length === 0) return;
  const storageKeys = objects.map(({ key }) => key);
  const { assets } = await executor.invoke(caller, 'repositories_FindAssetsByKey', { storeId, storageKeys });
  const known = new Map(assets.map((asset) => [asset.storageKey, asset]));
  for (const { key, sizeBytes: size } of objects) {
    const asset = known.get(key);
    if (asset === undefined)
      await executor.invoke(caller, 'repositories_MarkStrayObject', { storeId, storageKey: key, size });
    else if (asset.status === 'Dangling') await adopt(executor, asset.assetId);
  }
}

/** What does not verify stays as it is, until it is uploaded again or collected. */
async function adopt(executor: Executor, assetId: Id<'asset'>): Promise<void> {
  try {
    await executor.invoke(caller, 'repositories_FinalizeAssetUpload', { assetId });
  } catch (error) {
    if (!(error instanceof ActionError)) throw error;
  }
}
