import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { fileError, TransferError } from '../TransferError.ts';

const readBytes = 1_048_576;

/** Which file, in which state: another value after any write or replacement. */
export interface FileState {
  readonly sizeBytes: number;
  /** Device, inode, size and times of the file, as one string. */
  readonly statKey: string;
}

/** A file with the digest of its bytes. */
export interface DigestedFile extends FileState {
  readonly path: string;
  /** The SHA-256, `sha256_` and 64 hex digits. */
  readonly digest: string;
}

/** Hashes a file. Rejected with a TransferError when it cannot be read, is no regular file, or changes meanwhile. */
export async function digestFile(
  path: string,
  onProgress: (readBytes: number) => void = () => undefined,
  signal?: AbortSignal,
): Promise<DigestedFile> {
  try {
    const file = await open(path, 'r');
    try {
      const before = await stateOf(file, path);
      const hash = createHash('sha256');
      for await (const chunk of readFrom(file, 0)) {
        signal?.throwIfAborted();
        hash.update(chunk);
        onProgress(chunk.length);
      }
      const { statKey } = await stateOf(file, path);
      if (statKey !== before.statKey) throw changed(path);
      return { path, ...before, digest: `sha256_${hash.digest('hex')}` };
    } finally {
      await file.close();
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw fileError(path, 'read', error);
  }
}

/** The bytes of a digested file from an offset, up to `end`. Rejected with a TransferError when the file is no longer the one that was hashed. */
export async function* bytesOf(
  { path, statKey, sizeBytes }: DigestedFile,
  offset: number,
  onProgress: (readBytes: number) => void,
  end = sizeBytes,
): AsyncGenerator<Buffer> {
  try {
    const file = await open(path, 'r');
    try {
      if ((await stateOf(file, path)).statKey !== statKey) throw changed(path);
      for await (const chunk of readFrom(file, offset, end)) {
        yield chunk;
        onProgress(chunk.length);
      }
      if ((await stateOf(file, path)).statKey !== statKey) throw changed(path);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw fileError(path, 'read', error);
  }
}

/** Reads a file from `offset` up to `end`, by the MiB; every buffer is new. */
export async function* readFrom(file: FileHandle, offset: number, end = Infinity): AsyncGenerator<Buffer> {
  for (let position = offset; position < end;) {
    const buffer = Buffer.allocUnsafe(Math.min(readBytes, end - position));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

async function stateOf(file: FileHandle, path: string): Promise<FileState> {
  const stats = await file.stat({ bigint: true });
  if (!stats.isFile()) throw new TransferError('Local', `${JSON.stringify(path)} is no regular file.`);
  return { sizeBytes: Number(stats.size), statKey: statKeyOf(stats) };
}

function statKeyOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(':');
}

function changed(path: string): TransferError {
  return new TransferError(
    'Local',
    `${JSON.stringify(path)} changed while it was read: try again when nothing writes to it.`,
  );
}
