const firstCapacityBytes = 4_096;

/** `piece`, or a wider copy of it where it has no room for `neededBytes`: memory grows with what has arrived, to `mostBytes` at most. */
export function growBuffer(
  piece: Uint8Array<ArrayBuffer>,
  neededBytes: number,
  mostBytes: number,
): Uint8Array<ArrayBuffer> {
  if (neededBytes <= piece.length) return piece;
  const wider = new Uint8Array(
    Math.min(mostBytes, Math.max(neededBytes, 2 * piece.length, firstCapacityBytes)),
  );
  wider.set(piece);
  return wider;
}
