import { nearestNames } from '@corral/contract';

/** The end of a sentence about a name that does not exist: what is meant, if a known name is near. */
export function didYouMean(name: string, known: readonly string[], prefix = ''): string {
  const [nearest] = nearestNames(name, known);
  return nearest === undefined ? '.' : `; did you mean ${prefix}${nearest}?`;
}
