const firstCapacityBytes = 4_096;

/** `piece`, or a larger copy of it where it has no room for `neededBytes`: memory grows with the received bytes, to at most `maxBytes`. */
export function growBuffer(
  piece: Uint8Array<ArrayBuffer>,
  neededBytes: number,
  maxBytes: number,
): Uint8Array<ArrayBuffer> {
  if (neededBytes <= piece.length) return piece;
  const larger = new Uint8Array(
    Math.min(maxBytes, Math.max(neededBytes, 2 * piece.length, firstCapacityBytes)),
  );
  larger.set(piece);
  return larger;
}
