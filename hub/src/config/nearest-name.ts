import { editDistance } from '@corral/contract';

/** The known name with the smallest edit distance to the given one. */
export function nearestName(name: string, known: readonly string[]): string {
  const ranked = known.map((candidate) => ({ candidate, errors: editDistance(name, candidate) }));
  return ranked.toSorted((left, right) => left.errors - right.errors)[0]?.candidate ?? name;
}
