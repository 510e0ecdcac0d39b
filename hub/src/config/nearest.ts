import { editDistance } from '@corral/contract';

/** The known name that takes the fewest typing errors to become the given one. */
export function nearest(name: string, known: readonly string[]): string {
  const ranked = known.map((candidate) => ({ candidate, errors: editDistance(name, candidate) }));
  return ranked.toSorted((left, right) => left.errors - right.errors)[0]?.candidate ?? name;
}
