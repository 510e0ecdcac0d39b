/** Applies the four bytes of a mask to `bytes` in place, the first of which is byte number `offset` of its message. */
export function applyMask(bytes: Uint8Array, mask: Uint8Array, offset: number): void {
  const head = Math.min(bytes.length, (4 - (bytes.byteOffset & 3)) & 3);
  for (let index = 0; index < head; index += 1) bytes[index]! ^= mask[(offset + index) & 3]!;
  const wordCount = (bytes.length - head) >>> 2;
  if (wordCount > 0)
    maskWords(new Int32Array(bytes.buffer, bytes.byteOffset + head, wordCount), mask, offset + head);
  for (let index = head + 4 * wordCount; index < bytes.length; index += 1)
    bytes[index]! ^= mask[(offset + index) & 3]!;
}

/** Four bytes at a time, whatever the order of bytes in a word is here. */
function maskWords(words: Int32Array, mask: Uint8Array, offset: number): void {
  const turned = Uint8Array.of(
    mask[offset & 3]!,
    mask[(offset + 1) & 3]!,
    mask[(offset + 2) & 3]!,
    mask[(offset + 3) & 3]!,
  );
  const word = new Int32Array(turned.buffer)[0]!;
  for (let index = 0; index < words.length; index += 1) words[index]! ^= word;
}

/** Whether a mask changes nothing. */
export function isNoMask(mask: Uint8Array): boolean {
  return (mask[0]! | mask[1]! | mask[2]! | mask[3]!) === 0;
}
