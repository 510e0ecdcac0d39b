/** Longer names are not compared, since they are no typing errors. */
const maxNameLength = 64;

/** How many names of a similar length are compared with one that does not exist. */
const maxComparedNames = 300;
const maxSuggestions = 3;

/** A name that was typed, or a part of it, and what may be meant by it. */
type Pair = readonly [typed: string, meant: string];

/** Up to three names that one which does not exist may be a misspelling of, ignoring case, the nearest first. `pairsOf` says what is compared for each. */
export function nearestNames(
  typed: string,
  known: readonly string[],
  pairsOf: (name: string) => readonly Pair[] = (name) => [[typed, name]],
): readonly string[] {
  if (typed.length > maxNameLength) return [];
  return known
    .map((name) => ({ name, pairs: pairsOf(name).filter(haveSimilarLength) }))
    .filter(({ pairs }) => pairs.length > 0)
    .slice(0, maxComparedNames)
    .map(({ name, pairs }) => ({ name, errors: Math.min(...pairs.map(typingErrors)) }))
    .filter(({ errors }) => errors < Infinity)
    .toSorted((left, right) => left.errors - right.errors)
    .slice(0, maxSuggestions)
    .map(({ name }) => name);
}

function haveSimilarLength([typed, meant]: Pair): boolean {
  const { length } = meant;
  return length > 2 && length <= maxNameLength && Math.abs(typed.length - length) <= maxErrorsIn(meant);
}

function maxErrorsIn({ length }: string): number {
  return Math.min(3, Math.max(1, Math.floor(length / 4)));
}

function typingErrors([typed, meant]: Pair): number {
  return editDistance(typed.toLowerCase(), meant.toLowerCase(), maxErrorsIn(meant));
}

/**
 * The number of typing errors between two names: letters added, left out, replaced, or swapped with their neighbour; infinitely many if there are more than `maxErrors`.
 * Letters are compared with those at most `maxErrors` places away, until there are too many errors.
 */
function editDistance(left: string, right: string, maxErrors: number): number {
  const places = Array.from({ length: 2 * maxErrors + 1 }, (_, index) => index - maxErrors);
  let before: number[] = [];
  let row = places.map((column) => (column < 0 ? Infinity : column));
  for (let line = 1; line <= left.length; line += 1) {
    const next: number[] = [];
    for (const [index, place] of places.entries()) {
      const column = line + place;
      const isSame = left[line - 1] === right[column - 1];
      const isSwapped = left[line - 1] === right[column - 2] && left[line - 2] === right[column - 1];
      const substituted = (row[index] ?? Infinity) + (isSame ? 0 : 1);
      const swapped = isSwapped ? (before[index] ?? Infinity) + 1 : Infinity;
      const moved = Math.min(row[index + 1] ?? Infinity, next[index - 1] ?? Infinity) + 1;
      const isInside = column >= 0 && column <= right.length;
      next.push(isInside ? Math.min(substituted, swapped, moved) : Infinity);
    }
    if (Math.min(...next) > maxErrors) return Infinity;
    before = row;
    row = next;
  }
  const errors = row[right.length - left.length + maxErrors] ?? Infinity;
  return errors <= maxErrors ? errors : Infinity;
}

/** Whether a name is likely to be a misspelling of another: one typing error in a short name, two in a long one, whatever case, `_` and `-`. */
export function isNear(name: string, known: string): boolean {
  if (name.length > maxNameLength) return false;
  const [left, right] = [plain(name), plain(known)];
  if (left === right) return true;
  if (left[0] !== right[0]) return false;
  const maxErrors = right.length < 8 ? 1 : 2;
  return editDistance(left, right, maxErrors) <= maxErrors;
}

/** Whether two names begin with the same word of at least four letters: `autoApprove` and `autoAccept`. */
export function haveSameFirstWord(name: string, known: string): boolean {
  const word = /^[a-z]{4,}(?=[A-Z_-])/.exec(known)?.[0];
  return word !== undefined && name.length <= maxNameLength && /^[a-z]+(?=[A-Z_-])/.exec(name)?.[0] === word;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '');
}
