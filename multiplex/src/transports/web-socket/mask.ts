/** Applies a mask of four bytes to `bytes` in place; their first byte is byte number `offset` of its message. */
export function applyMask(bytes: Uint8Array, mask: Uint8Array, offset: number): void {
  const { buffer, byteOffset, length } = bytes;
  const headBytes = Math.min(length, (4 - (byteOffset & 3)) & 3);
  const wordCount = (length - headBytes) >>> 2;
  maskBytes(bytes, mask, offset, 0, headBytes);
  if (wordCount > 0)
    maskWords(new Int32Array(buffer, byteOffset + headBytes, wordCount), mask, offset + headBytes);
  maskBytes(bytes, mask, offset, headBytes + 4 * wordCount, length);
}

function maskBytes(bytes: Uint8Array, mask: Uint8Array, offset: number, from: number, to: number): void {
  for (let index = from; index < to; index += 1)
    bytes[index] = (bytes[index] ?? 0) ^ (mask[(offset + index) & 3] ?? 0);
}

/** Masks four bytes at a time, on any byte order. */
function maskWords(words: Int32Array, mask: Uint8Array, offset: number): void {
  const rotated = Uint8Array.from({ length: 4 }, (_, index) => mask[(offset + index) & 3] ?? 0);
  const [word = 0] = new Int32Array(rotated.buffer);
  for (let index = 0; index < words.length; index += 1) words[index] = (words[index] ?? 0) ^ word;
}

/** Whether a mask changes nothing. */
export function isZeroMask(mask: Uint8Array): boolean {
  return mask.every((byte) => byte === 0);
}
