import { hash } from 'node:crypto';

/** The size of a hash (SHA-256) in bytes. */
export const hashBytes = 32;

const leafPrefix = Buffer.from([0]);
const nodePrefix = Buffer.from([1]);

/** The hash of a leaf (RFC 9162): the SHA-256 of a zero byte and the text of a row. */
export function leafHash(text: string): Buffer {
  return sha256(Buffer.concat([leafPrefix, Buffer.from(text)]));
}

/** The root hash of concatenated leaf hashes. */
export function rootHash(leaves: Buffer): Buffer {
  let level = split(leaves);
  if (level.length === 0) return sha256(Buffer.alloc(0));
  while (level.length > 1) level = parentsOf(level);
  return level[0] as Buffer;
}

/** The inclusion paths (RFC 9162) of some leaves: the siblings from each leaf to the root. */
export function inclusionPaths(leaves: Buffer, indexes: readonly number[]): Buffer[][] {
  const paths = indexes.map((): Buffer[] => []);
  let level = split(leaves);
  for (let height = 0; level.length > 1; height += 1) {
    for (const [at, index] of indexes.entries()) {
      const sibling = level[Math.floor(index / 2 ** height) ^ 1];
      if (sibling !== undefined) paths[at]?.push(sibling);
    }
    level = parentsOf(level);
  }
  return paths;
}

/** The root hash that a leaf, its index among `count` leaves and its inclusion path give; undefined for a path of another length. */
export function rootFromInclusionPath(
  leaf: Buffer,
  { index, count }: { readonly index: number; readonly count: number },
  path: readonly Buffer[],
): Buffer | undefined {
  let [node, at, last, used] = [leaf, index, count - 1, 0];
  for (; last > 0; at >>= 1, last >>= 1) {
    if (at === last && at % 2 === 0) continue;
    const sibling = path[used];
    if (sibling === undefined) return undefined;
    used += 1;
    node = at % 2 === 0 ? parentOf(node, sibling) : parentOf(sibling, node);
  }
  return used === path.length && index < count ? node : undefined;
}

function split(leaves: Buffer): Buffer[] {
  const count = leaves.length / hashBytes;
  return Array.from({ length: count }, (_, at) => leaves.subarray(at * hashBytes, (at + 1) * hashBytes));
}

/** A node without a sibling moves up unchanged. */
function parentsOf(level: readonly Buffer[]): Buffer[] {
  const parents: Buffer[] = [];
  for (let at = 0; at < level.length; at += 2) {
    const [left, right] = [level[at] as Buffer, level[at + 1]];
    parents.push(right === undefined ? left : parentOf(left, right));
  }
  return parents;
}

function parentOf(left: Buffer, right: Buffer): Buffer {
  return sha256(Buffer.concat([nodePrefix, left, right]));
}

function sha256(bytes: Buffer): Buffer {
  return hash('sha256', bytes, 'buffer');
}
