import type { StoredPart } from './asset-storage.ts';

/** The size of every part of an upload to an object store but the last. S3 takes none below 5 MiB, and 10,000 parts, enough for 78 GiB. */
export const uploadPartBytes = 8 * 1_048_576;

/** How many parts an upload of this size has. */
export function partCountOf(sizeBytes: number): number {
  return Math.ceil(sizeBytes / uploadPartBytes);
}

/** The size of the part with this number, from 1. */
export function partBytesOf(number: number, sizeBytes: number): number {
  return Math.min(uploadPartBytes, sizeBytes - (number - 1) * uploadPartBytes);
}

/** The parts from the first one up to the first that is missing or has another size. */
export function leadingParts(parts: readonly StoredPart[], sizeBytes: number): readonly StoredPart[] {
  const gap = parts.findIndex(
    (part, index) => part.number !== index + 1 || part.sizeBytes !== partBytesOf(part.number, sizeBytes),
  );
  return gap < 0 ? parts : parts.slice(0, gap);
}

/** How many bytes the parts have together. */
export function bytesOfParts(parts: readonly StoredPart[]): number {
  return parts.reduce((sum, part) => sum + part.sizeBytes, 0);
}
