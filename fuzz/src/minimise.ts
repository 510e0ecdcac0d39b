/** Minimises a failing input: removes parts, then sets bytes to zero, while it still fails. */
export async function minimise(
  input: Uint8Array,
  fails: (candidate: Uint8Array) => Promise<boolean>,
): Promise<Uint8Array> {
  let best = input;
  for (let part = Math.ceil(best.length / 2); part >= 1; part = Math.floor(part / 2)) {
    for (let at = 0; at < best.length;) {
      const shorter = without(best, at, at + part);
      if (await fails(shorter)) best = shorter;
      else at += part;
    }
  }
  for (let at = 0; at < best.length; at += 1) {
    const candidate = best.slice();
    candidate[at] = 0;
    if (best[at] !== 0 && (await fails(candidate))) best = candidate;
  }
  return best;
}

function without(bytes: Uint8Array, from: number, to: number): Uint8Array {
  return new Uint8Array(Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]));
}
