import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

const readBytes = 262_144;

/** The bytes of a temporary file from its start; the file stays open. */
export function spooledBytes(spool: FileHandle): AsyncIterable<Uint8Array> {
  return spool.createReadStream({ start: 0, autoClose: false, highWaterMark: readBytes });
}

/** The SHA-256 of a temporary file. */
export async function digestOf(spool: FileHandle): Promise<Buffer> {
  const hash = createHash('sha256');
  for await (const piece of spooledBytes(spool)) hash.update(piece);
  return hash.digest();
}
