function distance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let line = 1; line <= left.length; line += 1) {
    const next = [line];
    for (let column = 1; column <= right.length; column += 1) {
      const substituted = (row[column - 1] ?? 0) + (left[line - 1] === right[column - 1] ? 0 : 1);
      next.push(Math.min(substituted, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}

/** The known name that takes the fewest typing errors to become the given one. */
export function nearest(name: string, known: readonly string[]): string {
  const ranked = known.map((candidate) => ({ candidate, errors: distance(name, candidate) }));
  return ranked.toSorted((left, right) => left.errors - right.errors)[0]?.candidate ?? name;
}
