import { ids, type Json } from '@corral/contract';
import type { FileRow } from './package-files.ts';

type FileChange = 'Added' | 'Removed' | 'Changed' | 'Same';

function changeOf(from: FileRow | undefined, to: FileRow | undefined): FileChange {
  if (from === undefined) return 'Added';
  if (to === undefined) return 'Removed';
  return from.digest === to.digest ? 'Same' : 'Changed';
}

function toOutput({ asset_id, size, digest, status }: FileRow) {
  return { assetId: ids.asset.of(asset_id), size, digest, status };
}

/** The files of two versions by filename, with what became of each. */
export function compareFiles(from: readonly FileRow[], to: readonly FileRow[]) {
  const earlier = new Map(from.map((file) => [file.filename, file]));
  const later = new Map(to.map((file) => [file.filename, file]));
  const filenames = [...new Set([...earlier.keys(), ...later.keys()])].toSorted();
  return filenames.map((filename) => {
    const [before, after] = [earlier.get(filename), later.get(filename)];
    return {
      filename,
      change: changeOf(before, after),
      hasOtherMetadata:
        before !== undefined && after !== undefined && !isSame(before.metadata, after.metadata),
      ...(before === undefined ? {} : { from: toOutput(before) }),
      ...(after === undefined ? {} : { to: toOutput(after) }),
    };
  });
}

/** Values from the database: their keys are in one order. */
function isSame(one: Json | undefined, other: Json | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The keys of two maps of metadata with different values. */
export function compareMetadata(from: Record<string, Json>, to: Record<string, Json>) {
  const keys = [...new Set([...Object.keys(from), ...Object.keys(to)])].toSorted();
  return keys
    .filter((key) => !isSame(from[key], to[key]))
    .map((key) => ({
      key,
      ...(Object.hasOwn(from, key) ? { from: from[key] as Json } : {}),
      ...(Object.hasOwn(to, key) ? { to: to[key] as Json } : {}),
    }));
}

/** The bytes of all different files of a version, and of those that another version does not have. */
export function bytesOf(from: readonly FileRow[], to: readonly FileRow[]) {
  const known = new Set(from.map(({ digest }) => digest));
  const sizes = new Map(to.map(({ digest, size }) => [digest, size]));
  const sum = (digests: readonly [string, number][]): number =>
    digests.reduce((total, [, size]) => total + size, 0);
  return {
    totalBytes: sum([...sizes]),
    bytesToFetch: sum([...sizes].filter(([digest]) => !known.has(digest))),
  };
}
