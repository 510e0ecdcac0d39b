import type { FileHandle } from 'node:fs/promises';
import type { NewPart } from '../assets/asset-storage.ts';
import type { ByteSplitter } from '../assets/byte-splitter.ts';
import type { ContentHash } from '../assets/content-hash.ts';
import type { DiskRoom } from '../assets/disk/disk-room.ts';
import { receiveContent } from '../assets/disk/receive-content.ts';
import { partBytesOf, partCountOf } from '../assets/upload-parts.ts';
import { digestOf } from './spool.ts';

/** Bytes to be split into the parts of an upload. */
export interface PartReception {
  /** That of the disk of the temporary files. */
  readonly room: DiskRoom;
  readonly bytes: ByteSplitter;
  /** The size of the whole upload. */
  readonly sizeBytes: number;
  /** The number of the first part. */
  readonly number: number;
  /** A temporary file with the bytes of the first part that have arrived before. It is closed when it has been sent. */
  readonly spool: FileHandle;
  /** The hash of all bytes, as far as it is known. */
  readonly hash: ContentHash | undefined;
  readonly signal: AbortSignal;
  readonly openSpool: () => Promise<FileHandle>;
  readonly send: (part: NewPart, spool: FileHandle) => Promise<void>;
}

/** The part that is incomplete in the end. */
export interface ReceivedParts {
  /** The number of the part that is not complete. */
  readonly number: number;
  /** The bytes of that part, to be closed; undefined if all parts are complete. */
  readonly rest: FileHandle | undefined;
  /** The error of the source, if it failed. */
  readonly failure?: { readonly error: unknown };
}

/**
 * Receives bytes into temporary files and sends each full one as a part while the next one is filled; at most two files are in use. Resolves also when the source
 * fails, since the bytes before that are kept; rejects when a part cannot be sent.
 */
export async function receiveParts(reception: PartReception): Promise<ReceivedParts> {
  const { sizeBytes, openSpool } = reception;
  let { number } = reception;
  let spool: FileHandle | undefined = reception.spool;
  let sending: Promise<void> = Promise.resolve();
  let failure: ReceivedParts['failure'];
  try {
    while (await fill(reception, spool, partBytesOf(number, sizeBytes))) {
      await sending;
      sending = sendAndClose(reception, number, spool);
      sending.catch(() => undefined);
      number += 1;
      spool = undefined;
      if (number > partCountOf(sizeBytes)) break;
      spool = await openSpool();
    }
  } catch (error) {
    failure = { error };
  }
  try {
    await sending;
  } catch (error) {
    await spool?.close();
    throw error;
  }
  return { number, rest: spool, ...(failure === undefined ? {} : { failure }) };
}

/** Whether the part is complete; false when the source has ended before. */
async function fill(
  { room, bytes, hash, signal }: PartReception,
  spool: FileHandle,
  partBytes: number,
): Promise<boolean> {
  const offset = (await spool.stat()).size;
  const reception = { room, offset, maxBytes: partBytes, hash, signal, keepsPart: true, isTemporary: true };
  await receiveContent(spool, { ...reception, bytes: bytes.take(partBytes - offset) });
  return (await spool.stat()).size === partBytes;
}

async function sendAndClose({ send, sizeBytes }: PartReception, number: number, spool: FileHandle) {
  try {
    const part = { number, sizeBytes: partBytesOf(number, sizeBytes), digest: await digestOf(spool) };
    await send(part, spool);
  } finally {
    await spool.close();
  }
}
