import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { systemCaller } from '../../calls/handler.ts';
import {
  type AssetStorage,
  type MultipartUploads,
  StorageError,
  type StoredContent,
  type StoredPart,
} from '../../domains/assets/storage/asset-storage.ts';
import { type ByteSplitter, createByteSplitter } from '../../domains/assets/storage/byte-splitter.ts';
import { type ContentHash, mustMatch } from '../../domains/assets/storage/content-hash.ts';
import { deleteWrongObject } from '../../domains/assets/storage/delete-wrong-object.ts';
import { syncBytes, withFiles } from '../../domains/assets/storage/disk/file-faults.ts';
import { alsoHashed, mustHaveDigest, type UploadPart } from '../../domains/assets/storage/disk/partials.ts';
import { receiveContent } from '../../domains/assets/storage/disk/receive-content.ts';
import { isUploadCompleted } from '../../domains/assets/storage/is-upload-completed.ts';
import { untilAborted } from '../../domains/assets/storage/until-aborted.ts';
import {
  bytesOfParts,
  leadingParts,
  partBytesOf,
  partCountOf,
} from '../../domains/assets/storage/upload-parts.ts';
import { verifyObject } from '../../domains/assets/storage/verify-object.ts';
import { TransferFailure } from './TransferFailure.ts';
import type { PartialUpload } from './partial-upload.ts';
import type { TransfersContext } from './transfers-context.ts';
import type { TakenUpload } from './upload-lease.ts';
import { expectedOf } from './upload.ts';
import { ChangeMultipartUpload } from '../../domains/assets/internal/ChangeMultipartUpload.ts';

const readBytes = 262_144;

/** The store of an asset. */
interface AssetStore {
  readonly storage: AssetStorage;
  readonly multipart: MultipartUploads;
}

/** What is there of an upload. */
interface KeptUpload {
  readonly multipartId: string;
  /** What the store has. */
  parts: readonly StoredPart[];
  /** The bytes after the last part, in a file of this node, since a store takes no small parts. Another node asks for them again. */
  tailBytes: number;
  /** The size of the object once the upload is completed; absent before that. */
  readonly objectBytes?: number;
}

/** Opens the resumable upload of an asset in its object store, where every node finds it. */
export async function openStorePartial(
  context: TransfersContext,
  asset: TakenUpload,
  store: AssetStore,
): Promise<PartialUpload> {
  const { multipartId, storageKey, size } = asset;
  if (multipartId === undefined) return new StorePartial(context, asset, store);
  const stored = await store.multipart.parts(storageKey, multipartId);
  if (stored === undefined)
    return new StorePartial(context, asset, store, await completedUpload(asset, store));
  const parts = leadingParts(stored, size);
  const { partials } = context.parts.storages.disk;
  const tailBytes = await partials.sizeOf(tailOf(multipartId, parts.length + 1));
  return new StorePartial(context, asset, store, { multipartId, parts, tailBytes });
}

/** The upload if it was completed, so that its object is only to be verified. The object of an available asset may be the damaged one that the upload replaces, and does not count. */
async function completedUpload(
  { multipartId = '', storageKey: key, assetId, size: sizeBytes, replaces }: TakenUpload,
  { storage }: AssetStore,
): Promise<KeptUpload | undefined> {
  if (replaces || !(await isUploadCompleted(storage, { key, assetId, sizeBytes }))) return undefined;
  return { multipartId, parts: [], tailBytes: 0, objectBytes: sizeBytes };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The name of the file for the bytes of a part that is not complete. */
const tailOf = (multipartId: string, number: number): string =>
  `${sha256(multipartId).slice(0, 32)}-${number}`;

/** The name of the running hash of an upload, while the store has these parts and no others. */
const stateOf = ({ multipartId, parts }: KeptUpload): string =>
  sha256([multipartId, ...parts.map(({ etag }) => etag)].join(' '));

/** Not every store refuses to replace what the other client has stored. */
function takenOver(): TransferFailure {
  return new TransferFailure(409, 'Another client has taken over this upload.', { retryAfterSecs: 1 });
}

async function digestOf(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const hash = createHash('sha256');
  for await (const piece of bytes) hash.update(piece);
  return hash.digest();
}

/** Bytes on their way to a store. */
interface Reception {
  readonly bytes: ByteSplitter;
  /** The hash of all bytes, as far as it is known. */
  readonly hash: ContentHash | undefined;
  readonly signal: AbortSignal;
}

class StorePartial implements PartialUpload {
  readonly #context: TransfersContext;
  readonly #asset: TakenUpload;
  readonly #store: AssetStore;
  #kept: KeptUpload | undefined;

  constructor(context: TransfersContext, asset: TakenUpload, store: AssetStore, kept?: KeptUpload) {
    this.#context = context;
    this.#asset = asset;
    this.#store = store;
    this.#kept = kept;
  }

  get sizeBytes(): number {
    if (this.#kept === undefined) return 0;
    const { parts, tailBytes, objectBytes = bytesOfParts(parts) + tailBytes } = this.#kept;
    return objectBytes;
  }

  async append({ bytes, digest, signal }: UploadPart): Promise<number> {
    const kept = (this.#kept ??= await this.#start());
    if (kept.objectBytes !== undefined) return kept.objectBytes;
    const { hashes } = this.#context;
    const hash = hashes.take(stateOf(kept), this.sizeBytes);
    const ofRequest = createHash('sha256');
    const source = digest === undefined ? bytes : alsoHashed(bytes, ofRequest);
    const splitter = createByteSplitter(untilAborted(source, signal));
    try {
      await this.#receive(kept, { bytes: splitter, hash, signal });
      if (digest !== undefined) mustHaveDigest(ofRequest.digest(), digest);
      return this.sizeBytes;
    } catch (error) {
      // Parts of a request with another checksum may be in the store already.
      if (error instanceof StorageError && error.fault === 'DigestMismatch') await this.discard();
      throw error;
    } finally {
      await splitter.close();
      if (hash?.sizeBytes === this.sizeBytes) hashes.keep(stateOf(kept), hash);
    }
  }

  async commit(signal: AbortSignal, extendLease: () => Promise<boolean>): Promise<StoredContent> {
    const { storageKey: key, replaces } = this.#asset;
    const kept = this.#kept as KeptUpload;
    const { multipartId, objectBytes } = kept;
    if (kept.tailBytes > 0) await this.#send(kept, kept.parts.length + 1);
    const content = this.#context.hashes.take(stateOf(kept), this.sizeBytes)?.finish();
    try {
      if (content !== undefined) mustMatch(content, expectedOf(this.#asset));
      if (objectBytes === undefined) {
        if (!(await extendLease())) throw takenOver();
        await this.#store.multipart.complete(key, multipartId, { parts: kept.parts, replaces });
      }
      // The store joins only the parts that were hashed here, which their tags name.
      return content ?? (await this.#verify(signal, extendLease));
    } catch (error) {
      if (error instanceof StorageError && error.fault.endsWith('Mismatch')) await this.discard();
      throw error;
    }
  }

  async discard(): Promise<void> {
    const { multipartId: expected, assetId, storageKey } = this.#asset;
    const multipartId = this.#kept?.multipartId ?? expected;
    if (multipartId === undefined) return;
    await this.#store.multipart.abort(storageKey, multipartId);
    const { partials } = this.#context.parts.storages.disk;
    await partials.discard(tailOf(multipartId, (this.#kept?.parts.length ?? 0) + 1));
    const change = { assetId, expected: multipartId };
    await this.#context.parts.executor.run(systemCaller, ChangeMultipartUpload, change);
    this.#kept = undefined;
  }

  /** Starts an upload in place of one that the store does not know any more. */
  async #start(): Promise<KeptUpload> {
    const { multipart } = this.#store;
    const { assetId, storageKey, multipartId: expected } = this.#asset;
    const { digest } = expectedOf(this.#asset);
    const multipartId = await multipart.start(storageKey, { assetId, digest });
    const change = { assetId, multipartId, ...(expected === undefined ? {} : { expected }) };
    const changed = await this.#context.parts.executor.run(systemCaller, ChangeMultipartUpload, change);
    if (changed.result === 'Found' && changed.multipartId === multipartId)
      return { multipartId, parts: [], tailBytes: 0 };
    await multipart.abort(storageKey, multipartId);
    throw new TransferFailure(423, 'Another client has just started this upload; try again.', {
      retryAfterSecs: 1,
    });
  }

  /** Fills a file for each part and sends it while the next one is filled. What came before a failure of the source is kept. */
  async #receive(kept: KeptUpload, reception: Reception): Promise<void> {
    const { partials } = this.#context.parts.storages.disk;
    const first = kept.parts.length + 1;
    let sending: Promise<void> = Promise.resolve();
    try {
      for (let number = first; number <= partCountOf(this.#asset.size); number += 1) {
        // What a request has left behind a part that could not be sent was not announced to its client.
        if (number > first) await partials.discard(tailOf(kept.multipartId, number));
        const filled = await this.#fill(kept.multipartId, number, reception);
        await sending;
        if (!filled.isComplete) break;
        sending = this.#send(kept, number, filled.digest);
        sending.catch(() => undefined);
      }
    } finally {
      await Promise.allSettled([sending]);
      kept.tailBytes = await this.#keepTail(kept);
    }
    await sending;
  }

  /** Resolves with whether the part is complete, or the source has ended before; and with its digest, if it came as a whole. */
  #fill(multipartId: string, number: number, { bytes, hash, signal }: Reception) {
    const { room } = this.#context.parts.storages.disk;
    const maxBytes = partBytesOf(number, this.#asset.size);
    return this.#withTail(multipartId, number, async (file) => {
      const offset = (await file.stat()).size;
      const more = { room, offset, maxBytes, hash, signal, keepsPart: true, isTemporary: true };
      const ofPart = createHash('sha256');
      const taken = alsoHashed(bytes.take(maxBytes - offset), ofPart);
      try {
        await withFiles(() => receiveContent(file, { ...more, bytes: taken }));
      } catch (error) {
        // On a full disk a part that cannot be completed would take the room of all others.
        if (error instanceof StorageError) await file.truncate(offset);
        throw error;
      }
      const isComplete = (await file.stat()).size === maxBytes;
      return { isComplete, digest: offset === 0 ? ofPart.digest() : undefined };
    });
  }

  /** Makes what is too little for a part durable, and resolves with its size. */
  async #keepTail({ multipartId, parts }: KeptUpload): Promise<number> {
    const { partials } = this.#context.parts.storages.disk;
    const number = parts.length + 1;
    const sizeBytes = await partials.sizeOf(tailOf(multipartId, number));
    if (sizeBytes > 0) await this.#withTail(multipartId, number, syncBytes);
    return sizeBytes;
  }

  /** Sends a complete part to the store, and forgets its file. */
  async #send(kept: KeptUpload, number: number, known?: Buffer): Promise<void> {
    const { multipart } = this.#store;
    const { multipartId } = kept;
    const part = await this.#withTail(multipartId, number, async (file) => {
      const bytes = (): AsyncIterable<Uint8Array> =>
        file.createReadStream({ start: 0, autoClose: false, highWaterMark: readBytes });
      const digest = known ?? (await digestOf(bytes()));
      const wanted = { number, sizeBytes: partBytesOf(number, this.#asset.size), digest };
      return multipart.write(this.#asset.storageKey, multipartId, wanted, bytes());
    });
    kept.parts = [...kept.parts, part];
    kept.tailBytes = 0;
    await this.#context.parts.storages.disk.partials.discard(tailOf(multipartId, number));
  }

  async #withTail<Result>(
    multipartId: string,
    number: number,
    work: (file: FileHandle) => Promise<Result>,
  ): Promise<Result> {
    const file = await this.#context.parts.storages.disk.partials.open(tailOf(multipartId, number));
    try {
      return await work(file);
    } finally {
      await file.close();
    }
  }

  /** Reads the whole object: some of its parts came through other nodes, or before a restart. */
  async #verify(signal: AbortSignal, extendLease: () => Promise<boolean>): Promise<StoredContent> {
    const { storage } = this.#store;
    const { assetId, storageKey, replaces } = this.#asset;
    const verdict = await verifyObject(storage, storageKey, expectedOf(this.#asset), { signal });
    if (verdict.status === 'Missing' || verdict.status === 'Mismatched') {
      const isWrong = verdict.status === 'Mismatched' && !replaces;
      if (isWrong) await deleteWrongObject(storage, { storageKey, assetId, extendLease });
      throw new StorageError('DigestMismatch', verdict.detail);
    }
    const chunkDigests = 'chunkDigests' in verdict ? verdict.chunkDigests : undefined;
    return { chunkDigests: chunkDigests ?? Buffer.alloc(0) };
  }
}
