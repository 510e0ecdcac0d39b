import { createHash } from 'node:crypto';
import { lstat, open, stat } from 'node:fs/promises';
import { ActionError, type Id } from '@corral/contract';
import type { Executor } from '../executor.ts';
import { chunkBytes, ChunkMap, digestKey } from './chunks.ts';
import { DownloadSource, verifiedChunks } from './download-source.ts';
import { digestFile, readFrom } from './file-digest.ts';
import { PartialFile } from './partial-file.ts';
import { withRetries, type TransferRetries } from '../retry.ts';
import type { TransferHttp } from './transfer-http.ts';
import { fileError, TransferError } from '../TransferError.ts';

/** What is to be downloaded. */
export interface WantedAsset {
  readonly assetId: Id<'asset'>;
  readonly sizeBytes: number;
  /** `sha256_` and 64 hex digits. */
  readonly digest: string;
  /** Its name at the version. */
  readonly filename?: string | undefined;
}

/** Receives the progress of a transfer. */
export type ProgressObserver = (progress: {
  readonly doneBytes: number;
  readonly totalBytes: number;
}) => void;

/** How to download. */
export interface DownloadOptions extends TransferRetries {
  readonly executor: Executor;
  readonly http: TransferHttp;
  /** The path of the file; an existing one is replaced in one step. */
  readonly target: string;
  /** Files of this machine that may hold some of the bytes. */
  readonly from?: readonly string[];
  readonly onProgress?: ProgressObserver | undefined;
}

/** What a download did. */
export interface DownloadOutcome {
  /** Unchanged: the target held exactly these bytes already. */
  readonly status: 'downloaded' | 'unchanged';
  readonly path: string;
  /** Bytes that came over the network. */
  readonly fetchedBytes: number;
}

const syncEveryBytes = 64 * chunkBytes;
const neverAborted = new AbortController().signal;

/**
 * Downloads an asset to a file that appears only when its digest is right. What an interrupted download left is verified and kept; MiB that
 * local files hold are taken from there; only the rest is fetched. Rejected with a TransferError or an error of the executor.
 */
export async function downloadAsset(asset: WantedAsset, options: DownloadOptions): Promise<DownloadOutcome> {
  const { target, executor, http, signal, onRetry, random } = options;
  const retries = { signal, onRetry, random };
  const hasTarget = await isRegularFile(target);
  const digests = await withRetries(() => readChunkDigests(executor, asset), retries);
  const map = digests === undefined ? undefined : new ChunkMap(asset.sizeBytes, digests);
  if (hasTarget && (await isSame(target, asset, map, signal)))
    return { status: 'unchanged', path: target, fetchedBytes: 0 };
  const source = new DownloadSource({ executor, http, ...asset, ...retries });
  const fetchInto = (partial: PartialFile): Promise<void> => {
    const job = { asset, options, source, partial };
    return map === undefined ? fetchSequentially(job) : fetchMissing(job, map, hasTarget);
  };
  let partial = await PartialFile.open(target, asset.digest);
  try {
    await fetchInto(partial);
    if (!(await hasDigest(partial, asset, signal))) {
      await partial.discard();
      // A power cut can leave zeros at the end, which only the whole digest shows where there are no others.
      if (!partial.isResumed || map !== undefined) throw damaged();
      partial = await PartialFile.open(target, asset.digest);
      await fetchInto(partial);
      if (!(await hasDigest(partial, asset, signal))) throw damaged();
    }
    await partial.finish();
  } catch (error) {
    await partial.close().catch(() => undefined);
    throw error;
  }
  return { status: 'downloaded', path: target, fetchedBytes: source.receivedBytes };
}

interface DownloadJob {
  readonly asset: WantedAsset;
  readonly options: DownloadOptions;
  readonly source: DownloadSource;
  readonly partial: PartialFile;
}

/** The digest of each MiB; undefined where the hub does not have them. */
async function readChunkDigests(
  executor: Executor,
  { assetId, sizeBytes }: WantedAsset,
): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  try {
    for (let after: number | undefined; ;) {
      const page = await executor.invoke('repositories_GetAssetChunks', {
        assetId,
        ...(after === undefined ? {} : { after }),
      });
      parts.push(Buffer.from(page.digests, 'base64'));
      after = page.next;
      if (after === undefined) break;
    }
  } catch (error) {
    // A hub without this action; over a channel that is a wire kind.
    if (error instanceof ActionError && ['UnknownAction', 'Invalid'].includes(error.kind)) return undefined;
    throw error;
  }
  const digests = Buffer.concat(parts);
  return digests.length === Math.ceil(sizeBytes / chunkBytes) * 32 ? digests : undefined;
}

async function fetchMissing(job: DownloadJob, map: ChunkMap, hasTarget: boolean): Promise<void> {
  const { asset, options, source, partial } = job;
  const { target, from = [], signal = neverAborted } = options;
  const report = (): void =>
    options.onProgress?.({ doneBytes: map.presentBytes, totalBytes: asset.sizeBytes });
  if (partial.isResumed) await markPresentChunks(partial, map, signal);
  await partial.resize(asset.sizeBytes);
  if (!partial.isResumed) markZeroChunks(map);
  for (const path of [...(hasTarget ? [target] : []), ...from])
    await copyChunksFrom(path, map, partial, signal);
  report();
  let unsynced = 0;
  const receive = verifiedChunks(map, async (index, bytes) => {
    await partial.write(bytes, index * chunkBytes);
    map.add(index);
    report();
    unsynced += bytes.length;
    if (unsynced < syncEveryBytes) return;
    unsynced = 0;
    await partial.sync();
  });
  for (const span of map.missingSpans()) await source.read(span, receive);
}

/** Marks the chunks that an earlier download left. */
async function markPresentChunks(partial: PartialFile, map: ChunkMap, signal: AbortSignal): Promise<void> {
  let index = 0;
  for await (const bytes of partial.read()) {
    signal.throwIfAborted();
    if (index < map.count && map.matches(index, bytes)) map.add(index);
    index += 1;
  }
}

/** A new file of full length holds zeros, which need not be fetched. */
function markZeroChunks(map: ChunkMap): void {
  const zeros = Buffer.alloc(chunkBytes);
  const key = digestKey(zeros);
  for (let index = 0; index < map.count; index += 1) {
    const { start, end } = map.span(index);
    const isFullChunk = end - start === chunkBytes;
    if (isFullChunk ? map.keyOf(index) === key : map.matches(index, zeros.subarray(0, end - start)))
      map.add(index);
  }
}

/** Copies the missing chunks that a local file holds at a multiple of a MiB. */
async function copyChunksFrom(
  path: string,
  map: ChunkMap,
  partial: PartialFile,
  signal: AbortSignal,
): Promise<void> {
  const wanted = map.missingByKey();
  if (wanted.size === 0) return;
  const file = await open(path, 'r').catch((error: unknown) => {
    throw fileError(path, 'read', error);
  });
  try {
    for await (const bytes of readFrom(file, 0)) {
      signal.throwIfAborted();
      for (const index of wanted.get(digestKey(bytes)) ?? []) {
        if (map.isPresent(index)) continue;
        await partial.write(bytes, index * chunkBytes);
        map.add(index);
      }
    }
  } catch (error) {
    signal.throwIfAborted();
    throw fileError(path, 'read', error);
  } finally {
    await file.close();
  }
}

/** Without digests of its chunks an asset is fetched from the start to the end, and only the whole is verified. */
async function fetchSequentially({ asset, options, source, partial }: DownloadJob): Promise<void> {
  const { sizeBytes } = asset;
  const present = await partial.size();
  const start = present < sizeBytes ? present : 0;
  await partial.resize(start);
  if (sizeBytes === 0) return;
  await source.read({ start, end: sizeBytes }, async (bytes, cursor) => {
    await partial.write(bytes, cursor.position);
    cursor.position += bytes.length;
    options.onProgress?.({ doneBytes: cursor.position, totalBytes: sizeBytes });
  });
}

async function hasDigest(
  partial: PartialFile,
  { digest }: WantedAsset,
  signal = neverAborted,
): Promise<boolean> {
  const hash = createHash('sha256');
  for await (const bytes of partial.read()) {
    signal.throwIfAborted();
    hash.update(bytes);
  }
  return `sha256_${hash.digest('hex')}` === digest;
}

function damaged(): TransferError {
  const sentence = 'What arrived has another digest than the asset, and was discarded: try again.';
  return new TransferError('Damaged', sentence);
}

async function isRegularFile(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats?.isDirectory() === true) throw new TransferError('Local', `${JSON.stringify(path)} is a folder.`);
  return stats?.isFile() === true;
}

/** Whether the file holds exactly the asset; with digests of its chunks the first difference ends the reading. */
async function isSame(
  path: string,
  asset: WantedAsset,
  map: ChunkMap | undefined,
  signal = neverAborted,
): Promise<boolean> {
  const { size } = await stat(path);
  if (size !== asset.sizeBytes) return false;
  if (map === undefined) return (await digestFile(path, undefined, signal)).digest === asset.digest;
  const file = await open(path, 'r');
  try {
    let index = 0;
    for await (const bytes of readFrom(file, 0)) {
      signal.throwIfAborted();
      if (index >= map.count || !map.matches(index, bytes)) return false;
      index += 1;
    }
    return index === map.count;
  } finally {
    await file.close();
  }
}
