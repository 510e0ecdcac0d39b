/** How long an unfinished upload is kept after its last bytes, in milliseconds. */
export const unfinishedUploadMs = 24 * 3_600_000;

/** How fast a store sends bytes that are only read to be checked, while others wait for their turn. */
export interface CheckPace {
  /** The time in milliseconds that any object has. */
  readonly graceMs: number;
  /** What must come on average in the time after that. */
  readonly bytesPerSec: number;
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

/** A part of an object that is uploaded in parts. */
export interface StoredPart {
  /** From 1. */
  readonly number: number;
  readonly sizeBytes: number;
  /** As the store names this state of the part. */
  readonly etag: string;
  /** The SHA-256 of the part, if the store keeps it. */
  readonly digest?: Buffer;
}

/** A part to be stored. */
export interface NewPart {
  /** From 1. */
  readonly number: number;
  readonly sizeBytes: number;
  /** The SHA-256 of the part. */
  readonly digest: Buffer;
}

/** An upload in parts that is not complete. */
export interface UnfinishedUpload {
  readonly key: string;
  readonly uploadId: string;
  readonly startedAt: Date;
}

/**
 * Uploads of single objects in parts, which the store keeps between requests. The store names them; an id that it does not know any more is
 * one of an upload that was completed or aborted.
 */
export interface MultipartUploads {
  /** Starts an upload and resolves with its id. */
  start(key: string, options: { readonly assetId: string; readonly digest: Buffer }): Promise<string>;
  /** The parts by ascending number; undefined if there is no such upload. */
  parts(key: string, uploadId: string, signal?: AbortSignal): Promise<readonly StoredPart[] | undefined>;
  /** Stores a part in the place of one with the same number. */
  write(key: string, uploadId: string, part: NewPart, bytes: AsyncIterable<Uint8Array>): Promise<StoredPart>;
  /** Makes the parts an object, unless there is one and it may not be replaced. The digest of the object is not checked. */
  complete(
    key: string,
    uploadId: string,
    options: { readonly parts: readonly StoredPart[]; readonly replaces: boolean },
  ): Promise<void>;
  /** Forgets the parts. Succeeds also if there is no such upload. */
  abort(key: string, uploadId: string, signal?: AbortSignal): Promise<void>;
  /** All uploads that are not complete, of all keys. */
  unfinished(signal?: AbortSignal): AsyncIterable<UnfinishedUpload>;
}

/**
 * Where the bytes of assets are kept. Keys are made by `storageKey`, never from what users type. Failures are `StorageError`s; a failure of
 * the given bytes is passed on as it is. A signal ends an operation, which then rejects with its reason.
 */
export interface AssetStorage {
  /**
   * Stores an object. Resolves once it is durable; rejects, and leaves nothing under the key, unless the bytes are exactly the expected ones.
   */
  write(
    key: string,
    bytes: AsyncIterable<Uint8Array>,
    expected: ExpectedContent,
    options: WriteOptions,
  ): Promise<StoredContent>;
  /** Makes an object durable that a crash may have left half-way. Absent where every object that is there is durable. */
  makeDurable?(key: string): Promise<void>;
  /** The bytes of an object, or of a part of it. */
  read(key: string, range?: ByteRange, signal?: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
  /** Undefined if there is no object. */
  stat(key: string, signal?: AbortSignal): Promise<ObjectInfo | undefined>;
  /** Succeeds also if there is no object. Rejects with the fault `Unreachable` if the object may still be deleted later, and with the reason of the signal when that aborts. */
  delete(key: string, signal?: AbortSignal): Promise<void>;
  /** A page of at most 1000 objects whose keys are behind `after`, in the order of their keys. */
  list(after?: string, signal?: AbortSignal): Promise<readonly ListedObject[]>;
  /** Absent if clients cannot reach the store. */
  readonly direct?: DirectAccess;
  /** Whether those who follow a link to the hub may be sent to this URL of the store: the operator decides, not who configured the store. */
  mayRedirectTo?(url: string): boolean;
  /** False if a check of the store found that it answers with the whole where it is asked for a part: the hub then reads all bytes before the part. */
  readonly servesParts?: boolean;
  /** The check of an object ends when its bytes come more slowly; absent where they come from a disk. */
  readonly checkPace?: CheckPace;
  /** Absent if the store takes no uploads in parts. */
  readonly multipart?: MultipartUploads;
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
  /** The object is there, but its bytes cannot be read: their place on the disk is damaged. */
  | 'Unreadable'
  /** The store does not answer, or answers with an error of its own. */
  | 'Unreachable'
  /** The store refuses the credentials or the request. */
  | 'Refused';

/** The faults that say that an object is damaged or missing, so that only an upload repairs it. */
export const damageFaults: ReadonlySet<StorageFault> = new Set([
  'Missing',
  'SizeMismatch',
  'DigestMismatch',
  'Unreadable',
]);

/** A failed operation of a store; the message is a sentence for people, without secrets. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly fault: StorageFault;

  constructor(fault: StorageFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}
