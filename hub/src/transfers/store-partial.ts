import type { FileHandle } from 'node:fs/promises';
import {
  StorageError,
  type AssetStorage,
  type MultipartUploads,
  type StoredContent,
  type StoredPart,
} from '../assets/asset-storage.ts';
import { createByteSplitter } from '../assets/byte-splitter.ts';
import { mustMatch, type ContentHash } from '../assets/content-hash.ts';
import { mustHaveDigest, type UploadPart } from '../assets/disk/partials.ts';
import { receiveContent } from '../assets/disk/receive-content.ts';
import { deleteWrongObject } from '../assets/delete-wrong-object.ts';
import { isUploadCompleted } from '../assets/is-upload-completed.ts';
import { untilAborted } from '../assets/until-aborted.ts';
import { bytesOfParts, leadingParts, uploadPartBytes } from '../assets/upload-parts.ts';
import { verifyObject } from '../assets/verify-object.ts';
import type { PartialUpload } from './partial-upload.ts';
import { receiveParts, type ReceivedParts } from './receive-parts.ts';
import { digestOf, spooledBytes } from './spool.ts';
import { TransferFailure } from './TransferFailure.ts';
import type { TransfersContext } from './transfers-context.ts';
import { expectedOf } from './upload.ts';
import type { TakenUpload } from './upload-lease.ts';
import { systemCaller } from '../executor/system-caller.ts';

/** The store of an asset. */
interface AssetStore {
  readonly storage: AssetStorage;
  readonly multipart: MultipartUploads;
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
  const tail = await store.storage.stat(store.multipart.tailKey(multipartId, bytesOfParts(parts)));
  return new StorePartial(context, asset, store, { multipartId, parts, tailBytes: tail?.sizeBytes ?? 0 });
}

/** The upload if it was completed, so that its object is only to be verified. The object of an available asset may be the damaged one that the upload replaces, and does not count. */
async function completedUpload(
  { multipartId = '', storageKey: key, assetId, size: sizeBytes, replaces }: TakenUpload,
  { storage }: AssetStore,
): Promise<KeptUpload | undefined> {
  if (replaces || !(await isUploadCompleted(storage, { key, assetId, sizeBytes }))) return undefined;
  return { multipartId, parts: [], tailBytes: 0, objectBytes: sizeBytes };
}

/** Not every store refuses to replace what the other client has stored. */
function takenOver(): TransferFailure {
  return new TransferFailure(409, 'Another client has taken over this upload.', { retryAfterSecs: 1 });
}

/** What the store has of an upload. */
interface KeptUpload {
  readonly multipartId: string;
  readonly parts: readonly StoredPart[];
  /** The bytes after the last part, in an object of its own, since a store takes no small parts. */
  readonly tailBytes: number;
  /** The size of the object once the upload is completed; absent before that. */
  readonly objectBytes?: number;
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

  async append(part: UploadPart): Promise<number> {
    const kept = (this.#kept ??= await this.#start());
    if (kept.objectBytes !== undefined) return kept.objectBytes;
    const hash = this.#context.hashes.take(kept.multipartId, this.sizeBytes);
    const checked = part.digest === undefined ? undefined : await this.#receiveChecked(part, part.digest);
    const source = untilAborted(checked === undefined ? part.bytes : spooledBytes(checked), part.signal);
    const bytes = createByteSplitter(source);
    try {
      const received = await receiveParts({
        room: this.#context.parts.storages.disk.room,
        bytes,
        hash,
        sizeBytes: this.#asset.size,
        number: kept.parts.length + 1,
        spool: await this.#reopenTail(kept),
        signal: part.signal,
        openSpool: () => this.#openSpool(),
        send: (next, spool) => this.#write(kept.multipartId, next, spool),
      });
      await this.#keep(kept, received, hash);
      if (received.failure !== undefined) throw received.failure.error;
      return this.sizeBytes;
    } finally {
      await bytes.close();
      await checked?.close();
    }
  }

  async commit(signal: AbortSignal, extendLease: () => Promise<boolean>): Promise<StoredContent> {
    const { multipart } = this.#store;
    const { storageKey: key, replaces } = this.#asset;
    const { multipartId, parts, objectBytes } = this.#kept as KeptUpload;
    const content = await this.#context.hashes.take(multipartId, this.sizeBytes)?.finish();
    try {
      if (content !== undefined) mustMatch(content, expectedOf(this.#asset));
      if (objectBytes === undefined) {
        if (!(await extendLease())) throw takenOver();
        await multipart.complete(key, multipartId, { parts, replaces });
      }
      // Clients with URLs of parts may have replaced one that came through here, so what was hashed does not vouch for the object.
      return await this.#verify(signal, extendLease);
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
    const change = { assetId, expected: multipartId };
    await this.#context.parts.executor.invoke(systemCaller, 'repositories_ChangeMultipartUpload', change);
    this.#kept = undefined;
  }

  /** Starts an upload in place of one that the store does not know any more. */
  async #start(): Promise<KeptUpload> {
    const { multipart } = this.#store;
    const { assetId, storageKey, multipartId: expected } = this.#asset;
    const { digest } = expectedOf(this.#asset);
    const multipartId = await multipart.start(storageKey, { assetId, digest });
    const change = { assetId, multipartId, ...(expected === undefined ? {} : { expected }) };
    const changed = await this.#context.parts.executor.invoke(
      systemCaller,
      'repositories_ChangeMultipartUpload',
      change,
    );
    if (changed.result === 'Found' && changed.multipartId === multipartId)
      return { multipartId, parts: [], tailBytes: 0 };
    await multipart.abort(storageKey, multipartId);
    throw new TransferFailure(423, 'Another client has just started this upload; try again.', {
      retryAfterSecs: 1,
    });
  }

  #openSpool(): Promise<FileHandle> {
    return this.#context.parts.storages.disk.openSpool();
  }

  /** The bytes of a part whose digest is given, all of which must be right before any is kept. */
  async #receiveChecked(
    { bytes, maxBytes, offset, signal }: UploadPart,
    digest: Buffer,
  ): Promise<FileHandle> {
    const spool = await this.#openSpool();
    try {
      const { room } = this.#context.parts.storages.disk;
      const reception = { room, offset: 0, maxBytes: maxBytes - offset, hash: undefined, isTemporary: true };
      await receiveContent(spool, { ...reception, bytes, signal });
      mustHaveDigest(await digestOf(spool), digest);
      return spool;
    } catch (error) {
      await spool.close();
      throw error;
    }
  }

  /** A temporary file with what is kept behind the last part. */
  async #reopenTail({ multipartId, parts, tailBytes }: KeptUpload): Promise<FileHandle> {
    const spool = await this.#openSpool();
    if (tailBytes === 0) return spool;
    try {
      const key = this.#store.multipart.tailKey(multipartId, bytesOfParts(parts));
      const bytes = await this.#store.storage.read(key);
      const { room } = this.#context.parts.storages.disk;
      const reception = { room, offset: 0, maxBytes: uploadPartBytes, hash: undefined, isTemporary: true };
      await receiveContent(spool, { ...reception, bytes, signal: new AbortController().signal });
      return spool;
    } catch (error) {
      await spool.close();
      throw error;
    }
  }

  #write(multipartId: string, part: Parameters<MultipartUploads['write']>[2], spool: FileHandle) {
    return this.#store.multipart.write(this.#asset.storageKey, multipartId, part, spooledBytes(spool));
  }

  /** Keeps what is too little for a part, and the running hash if it is as far as the upload. */
  async #keep(before: KeptUpload, { rest }: ReceivedParts, hash: ContentHash | undefined): Promise<void> {
    const { multipart } = this.#store;
    const { multipartId } = before;
    const { storageKey, size } = this.#asset;
    const parts = leadingParts((await multipart.parts(storageKey, multipartId)) ?? [], size);
    const tailBytes = rest === undefined ? 0 : await this.#keepTail(multipartId, bytesOfParts(parts), rest);
    this.#kept = { multipartId, parts, tailBytes };
    if (hash?.sizeBytes === this.sizeBytes) this.#context.hashes.keep(multipartId, hash);
    if (before.tailBytes > 0 && parts.length > before.parts.length)
      await this.#store.storage.delete(multipart.tailKey(multipartId, bytesOfParts(before.parts)));
  }

  async #keepTail(multipartId: string, offset: number, rest: FileHandle): Promise<number> {
    try {
      const sizeBytes = (await rest.stat()).size;
      if (sizeBytes === 0) return 0;
      const key = this.#store.multipart.tailKey(multipartId, offset);
      const expected = { sizeBytes, digest: await digestOf(rest) };
      const { signal } = new AbortController();
      const options = { signal, assetId: this.#asset.assetId, replaces: true };
      await this.#store.storage.write(key, spooledBytes(rest), expected, options);
      return sizeBytes;
    } finally {
      await rest.close();
    }
  }

  /** Reads the whole object: its parts may have come through other nodes, or straight from clients. */
  async #verify(signal: AbortSignal, extendLease: () => Promise<boolean>): Promise<StoredContent> {
    const { storage } = this.#store;
    const { assetId, storageKey, replaces } = this.#asset;
    const verdict = await verifyObject(storage, storageKey, expectedOf(this.#asset), {
      signal,
    });
    if (verdict.status === 'Missing' || verdict.status === 'Mismatched') {
      const isWrong = verdict.status === 'Mismatched' && !replaces;
      if (isWrong) await deleteWrongObject(storage, { storageKey, assetId, extendLease });
      throw new StorageError('DigestMismatch', verdict.detail);
    }
    const chunkDigests = 'chunkDigests' in verdict ? verdict.chunkDigests : undefined;
    return { chunkDigests: chunkDigests ?? Buffer.alloc(0) };
  }
}
