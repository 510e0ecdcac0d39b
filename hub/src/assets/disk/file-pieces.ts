import type { FileHandle } from 'node:fs/promises';
import type { ByteRange } from '../asset-storage.ts';

const smallestBytes = 65_536;
const largestBytes = 524_288;
/** A reader that takes a piece in less gets larger ones, and in more than the longest smaller ones, so that many slow readers need little memory. */
const shortMs = 8;
const longMs = 32;

/**
 * The bytes of a file, or of a part of it; it closes the file. Two buffers take turns, so a piece stays as it is until the second next one is
 * asked for.
 */
export async function* filePieces(
  file: FileHandle,
  range: ByteRange | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer, void> {
  const buffers = [Buffer.alloc(0), Buffer.alloc(0)];
  let position = range?.start ?? 0;
  const end = range === undefined ? Infinity : range.end + 1;
  let sizeBytes = smallestBytes;
  try {
    for (let turn = 0; position < end; turn = 1 - turn) {
      signal?.throwIfAborted();
      const wantedBytes = Math.min(sizeBytes, end - position);
      const buffer = sized(buffers, turn, wantedBytes);
      const { bytesRead } = await file.read(buffer, 0, wantedBytes, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      const givenAt = performance.now();
      yield buffer.subarray(0, bytesRead);
      sizeBytes = nextSize(sizeBytes, performance.now() - givenAt);
    }
  } finally {
    await file.close();
  }
}

/** The buffer of this turn; another one if it is too small, or far too large. */
function sized(buffers: Buffer[], turn: number, sizeBytes: number): Buffer {
  const present = buffers[turn];
  if (present !== undefined && present.length >= sizeBytes && present.length <= 4 * sizeBytes) return present;
  return (buffers[turn] = Buffer.allocUnsafeSlow(sizeBytes));
}

function nextSize(sizeBytes: number, takenMs: number): number {
  if (takenMs < shortMs) return Math.min(2 * sizeBytes, largestBytes);
  return takenMs > longMs ? Math.max(sizeBytes / 2, smallestBytes) : sizeBytes;
}
