import { hash } from 'node:crypto';

/** The size of a leaf, a node and a root: a SHA-256. */
export const hashBytes = 32;

const nodeMark = Buffer.from([1]);

/** The root over concatenated leaves (RFC 9162). */
export function rootOf(leaves: Buffer): Buffer {
  let level = split(leaves);
  if (level.length === 0) return sha256(Buffer.alloc(0));
  while (level.length > 1) level = parentsOf(level);
  return level[0] as Buffer;
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
  return sha256(Buffer.concat([nodeMark, left, right]));
}

function sha256(bytes: Buffer): Buffer {
  return hash('sha256', bytes, 'buffer');
}
