/** How long an unfinished upload is kept after its last bytes, in milliseconds. */
export const unfinishedUploadMs = 24 * 3_600_000;

/** Bytes that come in pieces. */
export interface PieceSource extends AsyncIterable<Uint8Array> {
  /** Frees the memory of a piece that is no longer needed, which otherwise waits for the garbage collector. */
  recycle?(piece: Uint8Array): void;
}

/** What the bytes of an asset must be. */
export interface ExpectedContent {
  readonly sizeBytes: number;
  /** The SHA-256 of all bytes. */
  readonly digest: Buffer;
}

/** What was computed while the bytes were stored. */
export interface StoredContent {
  /** The SHA-256 of each MiB, joined; the last one may be of fewer bytes. */
  readonly chunkDigests: Buffer;
}

/** How an object is stored. */
export interface WriteOptions {
  /** Rejects the write with its reason. */
  readonly signal: AbortSignal;
  readonly assetId: string;
  /** Whether it replaces an object that is there already, which otherwise stays. */
  readonly replaces?: boolean;
}

/** A part of an object: from `start`, up to and including `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** What a store says about an object. */
export interface ObjectInfo {
  readonly sizeBytes: number;
  /** The SHA-256 of the whole object, if the store keeps it. */
  readonly digest?: Buffer;
  /** The asset id that the object was uploaded for, if the store keeps it. */
  readonly assetId?: string;
}

/** An object of a listing. */
export interface ListedObject {
  readonly key: string;
  readonly sizeBytes: number;
  readonly modifiedAt: Date;
}

/** A URL for a client, with the headers that it must send. */
export interface PresignedRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What a client may do without the hub in between. */
export interface DirectAccess {
  /** A PUT of exactly the expected bytes; undefined if the store does not enforce digest and precondition. */
  presignPut(
    key: string,
    options: ExpectedContent & { readonly assetId: string; readonly ttlSecs: number },
  ): Promise<PresignedRequest | undefined>;
  presignGet(
    key: string,
    options: {
      readonly ttlSecs: number;
      readonly contentDisposition?: string;
      readonly cacheControl?: string;
    },
  ): Promise<string>;
}

/**
 * Where the bytes of assets are kept. Keys are made by `storageKey`, never from what users type. Failures are `StorageError`s; a failure of
 * the given bytes is passed on as it is.
 */
export interface AssetStorage {
  /**
   * Stores an object. Resolves once it is durable; rejects, and leaves nothing under the key, unless the bytes are exactly the expected ones.
   */
  write(
    key: string,
    bytes: PieceSource,
    expected: ExpectedContent,
    options: WriteOptions,
  ): Promise<StoredContent>;
  /** The bytes of an object, or of a part of it. A piece stays as it is only until the second next one is asked for. */
  read(key: string, range?: ByteRange, signal?: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
  /** Undefined if there is no object. */
  stat(key: string): Promise<ObjectInfo | undefined>;
  /** Succeeds also if there is no object. */
  delete(key: string): Promise<void>;
  /** A page of at most 1000 objects whose keys are behind `after`, in the order of their keys. */
  list(after?: string): Promise<readonly ListedObject[]>;
  /** Absent if clients cannot reach the store. */
  readonly direct?: DirectAccess;
}

/** Why a store failed. */
export type StorageFault =
  /** The bytes have another digest. */
  | 'DigestMismatch'
  /** There were fewer or more bytes than announced. */
  | 'SizeMismatch'
  /** The store has no space left, or refuses more. */
  | 'Full'
  /** There is no such object. */
  | 'Missing'
  /** The store does not answer, or answers with an error of its own. */
  | 'Unreachable'
  /** The store refuses the credentials or the request. */
  | 'Refused';

/** A failed operation of a store; the message is a sentence for people, without secrets. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly fault: StorageFault;

  constructor(fault: StorageFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}
