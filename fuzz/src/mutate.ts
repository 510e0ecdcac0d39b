import type { Random } from './Random.ts';

/** Boundary values of lengths, ids and credits, big-endian. */
const edges: readonly (readonly number[])[] = [
  [0],
  [1],
  [0x7f],
  [0x80],
  [0xff],
  [0, 0],
  [0xff, 0xff],
  [0, 0, 0, 0],
  [0, 0x80, 0, 1],
  [0x7f, 0xff, 0xff, 0xff],
  [0xff, 0xff, 0xff, 0xff],
  [0, 0, 0, 0, 0, 0, 0, 1],
  [0, 0x20, 0, 0, 0, 0, 0, 0],
  [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
];

type Mutation = (bytes: Uint8Array, random: Random, other: Uint8Array) => Uint8Array;

const at = (bytes: Uint8Array, random: Random): number => random.below(bytes.length + 1);

function spliced(bytes: Uint8Array, from: number, to: number, put: Uint8Array): Uint8Array {
  const result = new Uint8Array(from + put.length + bytes.length - to);
  result.set(bytes.subarray(0, from));
  result.set(put, from);
  result.set(bytes.subarray(to), from + put.length);
  return result;
}

const mutations: readonly Mutation[] = [
  function flipBit(bytes, random) {
    const result = bytes.slice();
    const index = random.below(result.length);
    if (result.length > 0) result[index] = (result[index] ?? 0) ^ (1 << random.below(8));
    return result;
  },
  function setByte(bytes, random) {
    const result = bytes.slice();
    if (result.length > 0) result[random.below(result.length)] = random.next();
    return result;
  },
  function setEdge(bytes, random) {
    const edge = Uint8Array.from(random.pick(edges));
    const from = at(bytes, random);
    return spliced(bytes, from, Math.min(bytes.length, from + edge.length), edge);
  },
  function cutEnd(bytes, random) {
    return bytes.slice(0, at(bytes, random));
  },
  function cutOut(bytes, random) {
    const from = at(bytes, random);
    return spliced(bytes, from, Math.min(bytes.length, from + 1 + random.below(8)), new Uint8Array(0));
  },
  function insert(bytes, random) {
    const from = at(bytes, random);
    return spliced(bytes, from, from, random.bytes(1 + random.below(16)));
  },
  function repeat(bytes, random) {
    const from = at(bytes, random);
    const part = bytes.subarray(from, Math.min(bytes.length, from + 1 + random.below(32)));
    return spliced(bytes, from, from, part);
  },
  function cross(bytes, random, other) {
    return spliced(bytes, at(bytes, random), bytes.length, other.subarray(at(other, random)));
  },
];

/** A copy of bytes mutated in a few places; inserted parts come from `other`. */
export function mutate(bytes: Uint8Array, random: Random, other: Uint8Array): Uint8Array {
  let result = bytes;
  for (let count = 1 + random.below(3); count > 0; count -= 1) {
    result = random.pick(mutations)(result, random, other);
  }
  return result;
}
