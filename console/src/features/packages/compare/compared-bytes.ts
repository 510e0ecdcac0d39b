import type { Output } from '@corral/contract';

/** A file that at least one of two versions has. */
export type ComparedFile = Output<'repositories_CompareVersions'>['files'][number];

/** What became of a file. */
export type FileChange = ComparedFile['change'];

/** The bytes of one of two versions: those that both have, and the others by what became of their files. */
export type ComparedBytes = Readonly<Record<FileChange, number>>;

/** The bytes of both versions; equal contents count once, under whatever names, as they are fetched once. */
export function comparedBytes(files: readonly ComparedFile[]): { from: ComparedBytes; to: ComparedBytes } {
  return { from: bytesOf(files, 'from', 'to'), to: bytesOf(files, 'to', 'from') };
}

type Side = 'from' | 'to';

function bytesOf(files: readonly ComparedFile[], side: Side, other: Side): ComparedBytes {
  const present = new Set(files.map((file) => file[other]?.digest));
  const counted = new Set<string>();
  const bytes = { Same: 0, Changed: 0, Added: 0, Removed: 0 };
  for (const file of files) {
    const one = file[side];
    if (one === undefined || counted.has(one.digest)) continue;
    counted.add(one.digest);
    bytes[present.has(one.digest) ? 'Same' : file.change] += one.size;
  }
  return bytes;
}

/** All bytes of a version. */
export const totalOf = ({ Same, Changed, Added, Removed }: ComparedBytes): number =>
  Same + Changed + Added + Removed;
