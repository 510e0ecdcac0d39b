import { isStored, type Id, type Output } from '@corral/contract';
import type { Executor } from '../executor.ts';
import type { ProgressObserver } from './download.ts';
import { bytesOf, type DigestedFile } from './file-digest.ts';
import { withRetries, type TransferRetries } from '../retry.ts';
import { resumableOffset, sendRest } from './resumable-upload.ts';
import { answerError, type TransferHttp } from './transfer-http.ts';
import { TransferError } from '../TransferError.ts';

/** How to upload. */
export interface UploadOptions extends TransferRetries {
  readonly executor: Executor;
  readonly http: TransferHttp;
  readonly repositoryId: Id<'repository'>;
  readonly onProgress?: ProgressObserver | undefined;
}

/** What an upload did. */
export interface UploadOutcome {
  /** Deduplicated: the repository had these bytes already. Resumed: a part of them was there. */
  readonly status: 'uploaded' | 'resumed' | 'deduplicated';
  readonly assetId: Id<'asset'>;
  /** How many bytes of it the hub did not have. */
  readonly sentBytes: number;
}

/** Files above this size are sent so that a broken upload goes on where it broke. */
const resumableAboveBytes = 32 * 1_048_576;

// An expired URL.
const endedStatuses: ReadonlySet<number> = new Set([401, 403, 410]);

/** Uploads a file unless the repository has its bytes. Resolves once the hub has verified them. Rejected with a TransferError or an error of the executor. */
export async function uploadAsset(file: DigestedFile, options: UploadOptions): Promise<UploadOutcome> {
  const { executor, repositoryId, signal, onRetry, random } = options;
  const retrying = { signal, onRetry, random };
  const { assetId, result } = await withRetries(
    () =>
      executor.invoke('repositories_CreateAsset', {
        repositoryId,
        size: file.sizeBytes,
        digest: file.digest,
      }),
    retrying,
  );
  const upload = new Upload(file, assetId, options);
  if (result === 'AssetAlreadyExists' && (await withRetries(() => upload.isStored(), retrying)))
    return { status: 'deduplicated', assetId, sentBytes: 0 };
  await withRetries(() => upload.attempt(), { ...retrying, progress: () => upload.reachedBytes });
  const { presentBytes } = upload;
  return {
    status: presentBytes > 0 ? 'resumed' : 'uploaded',
    assetId,
    sentBytes: file.sizeBytes - presentBytes,
  };
}

/** One upload over any number of connections. */
class Upload {
  readonly #file: DigestedFile;
  readonly #assetId: Id<'asset'>;
  readonly #options: UploadOptions;
  #urls: Output<'repositories_IssueAssetUploadUrl'> | undefined;
  #attempts = 0;
  #hasBegun = false;
  #hasSent = false;
  /** What the hub had of it before. */
  presentBytes = 0;
  reachedBytes = 0;

  constructor(file: DigestedFile, assetId: Id<'asset'>, options: UploadOptions) {
    this.#file = file;
    this.#assetId = assetId;
    this.#options = options;
  }

  /** Whether the hub has the bytes; lost or damaged ones are sent again. */
  async isStored(): Promise<boolean> {
    const input = { assetId: this.#assetId };
    return isStored(await this.#options.executor.invoke('repositories_GetAssetDetails', input));
  }

  /** Sends what is missing. An upload whose end was cut off may have succeeded. */
  async attempt(): Promise<void> {
    this.#attempts += 1;
    if (this.#attempts > 1 && (await this.isStored())) return;
    const { executor } = this.#options;
    this.#urls ??= await executor.invoke('repositories_IssueAssetUploadUrl', { assetId: this.#assetId });
    const { url, resumableUrl } = this.#urls;
    try {
      const isLarge = this.#file.sizeBytes > resumableAboveBytes;
      if (!isLarge || resumableUrl === undefined || !(await this.#resume(resumableUrl))) await this.#put(url);
    } catch (error) {
      throw this.#renewing(error);
    }
  }

  async #put(url: string): Promise<void> {
    this.#report(0);
    const answer = await this.#options.http.send(url, {
      method: 'PUT',
      headers: {
        'content-length': String(this.#file.sizeBytes),
        'content-type': 'application/octet-stream',
      },
      body: this.#bytesFrom(0),
      signal: this.#options.signal,
    });
    if ((answer.statusCode ?? 0) >= 300) throw await answerError(answer, url);
    answer.resume();
  }

  /** False if the hub takes no resumable uploads there, such as a proxy in between that knows no PATCH. */
  async #resume(url: string): Promise<boolean> {
    const { http, signal } = this.#options;
    const target = { http, url, signal, sizeBytes: this.#file.sizeBytes };
    const offset = await resumableOffset(target);
    if (offset === undefined) return false;
    if (!this.#hasBegun) this.presentBytes = offset;
    this.#hasBegun = true;
    this.#report(offset);
    if (offset < this.#file.sizeBytes) await sendRest(target, offset, this.#bytesFrom(offset));
    return true;
  }

  async *#bytesFrom(offset: number): AsyncGenerator<Buffer> {
    let doneBytes = offset;
    yield* bytesOf(this.#file, offset, (count) => {
      doneBytes += count;
      this.#hasSent = true;
      this.#report(doneBytes);
    });
  }

  #report(doneBytes: number): void {
    this.reachedBytes = Math.max(this.reachedBytes, doneBytes);
    this.#options.onProgress?.({ doneBytes, totalBytes: this.#file.sizeBytes });
  }

  /** An expired URL is replaced by a new one. */
  #renewing(error: unknown): unknown {
    if (!(error instanceof TransferError) || error.fault !== 'Refused') return error;
    const { status = 0, message, retryAfterMs } = error;
    if (status === 422) return new TransferError('Damaged', message, { status, cause: error });
    // Somebody else is uploading the same bytes; but after a break it is mostly the broken request, which the hub notices in a moment.
    if (status === 409 || status === 423)
      return new TransferError('Interrupted', message, {
        status,
        retryAfterMs: this.#hasSent ? undefined : retryAfterMs,
      });
    if (!endedStatuses.has(status)) return error;
    this.#urls = undefined;
    return new TransferError('Interrupted', message, { status });
  }
}
