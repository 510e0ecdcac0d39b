import { constants } from 'node:fs';
import { open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { readFrom } from './file-digest.ts';
import { fileError, TransferError } from '../TransferError.ts';

const suffix = '.corral-part';
const abandonedAfterMs = 86_400_000;
// Windows has no such flag.
const noFollow = constants.O_NOFOLLOW ?? 0;
const { O_RDWR, O_CREAT, O_EXCL } = constants;

/**
 * The unfinished file of a download, beside its target. Its name holds the digest of the asset, so that downloads of other
 * content never write to it. What it holds is checked against the digests of the chunks, hence there is no other state to lose.
 */
export class PartialFile {
  readonly path: string;
  readonly target: string;
  /** Whether an earlier download left it. */
  readonly isResumed: boolean;
  readonly #file: FileHandle;

  private constructor(file: FileHandle, path: string, target: string, isResumed: boolean) {
    this.#file = file;
    this.path = path;
    this.target = target;
    this.isResumed = isResumed;
  }

  /** Opens or creates the file. Rejected with a TransferError. */
  static async open(target: string, digest: string): Promise<PartialFile> {
    const name = `.${basename(target)}.${digest.replace(/^sha256[_:]/, '').slice(0, 16)}${suffix}`;
    const path = join(dirname(target), name);
    try {
      return new PartialFile(await open(path, O_RDWR | O_CREAT | O_EXCL | noFollow), path, target, false);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw fileError(target, 'written', error);
    }
    const file = await open(path, O_RDWR | noFollow).catch((error: unknown) => {
      throw fileError(path, 'written', error);
    });
    const { nlink, uid, isPlain } = await file
      .stat()
      .then((stats) => ({ ...stats, isPlain: stats.isFile() }));
    if (isPlain && nlink === 1 && uid === (process.getuid?.() ?? uid))
      return new PartialFile(file, path, target, true);
    await file.close();
    throw new TransferError('Local', `${JSON.stringify(path)} is not from an earlier download: remove it.`);
  }

  async size(): Promise<number> {
    return (await this.#file.stat()).size;
  }

  /** Sets the length; new bytes are zeros and take no space. */
  resize(sizeBytes: number): Promise<void> {
    return this.#wrapped(this.#file.truncate(sizeBytes));
  }

  async write(bytes: Uint8Array, position: number): Promise<void> {
    for (let written = 0; written < bytes.length;) {
      const step = this.#file.write(bytes, written, bytes.length - written, position + written);
      written += (await this.#wrapped(step)).bytesWritten;
    }
  }

  /** Its bytes from the start, by the MiB. */
  read(): AsyncGenerator<Buffer> {
    return readFrom(this.#file, 0);
  }

  /** Makes durable what was written. */
  sync(): Promise<void> {
    return this.#wrapped(this.#file.datasync());
  }

  /** Replaces the target in one step; both the bytes and the name are durable then. */
  async finish(): Promise<void> {
    await this.#wrapped(this.#file.sync());
    await this.#wrapped(this.#takePlace());
    await syncFolder(dirname(this.target));
    await this.close();
    await removeAbandoned(this.target).catch(() => undefined);
  }

  /** Another download of the same asset to the same target, which writes the same file, may have ended first. */
  async #takePlace(): Promise<void> {
    try {
      await rename(this.path, this.target);
    } catch (error) {
      const [own, placed] = await Promise.all([this.#file.stat(), stat(this.target).catch(() => undefined)]);
      if (own.ino !== placed?.ino || own.dev !== placed.dev) throw error;
    }
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  /** Closes and removes it. */
  async discard(): Promise<void> {
    await this.close();
    await rm(this.path, { force: true });
  }

  async #wrapped<Result>(work: Promise<Result>): Promise<Result> {
    try {
      return await work;
    } catch (error) {
      throw fileError(this.target, 'written', error);
    }
  }
}

async function syncFolder(path: string): Promise<void> {
  // Windows cannot open folders.
  const folder = await open(path, 'r').catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}

/** Removes the unfinished files of older content that nobody has written to for a day. */
async function removeAbandoned(target: string): Promise<void> {
  const folder = dirname(target);
  const prefix = `.${basename(target)}.`;
  const isPartial = (name: string): boolean =>
    name.startsWith(prefix) &&
    name.endsWith(suffix) &&
    /^[0-9a-f]{16}$/.test(name.slice(prefix.length, -suffix.length));
  for (const name of (await readdir(folder)).filter(isPartial)) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > abandonedAfterMs) await rm(path, { force: true });
  }
}
