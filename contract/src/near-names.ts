/** Longer names are not compared, since they are no typing errors. */
const maxNameLength = 64;

/** The number of typing errors between two names: letters added, left out, replaced, or swapped with their neighbour. */
export function editDistance(left: string, right: string): number {
  let before: number[] = [];
  let row = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let line = 1; line <= left.length; line += 1) {
    const next = [line];
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[line - 1] === right[column - 1];
      const isSwapped =
        line > 1 &&
        column > 1 &&
        left[line - 1] === right[column - 2] &&
        left[line - 2] === right[column - 1];
      const substituted = (row[column - 1] ?? 0) + (isSame ? 0 : 1);
      const swapped = isSwapped ? (before[column - 2] ?? 0) + 1 : Infinity;
      next.push(Math.min(substituted, swapped, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row[right.length] ?? 0;
}

/** Whether a name is likely to be a misspelling of another: one typing error in a short name, two in a long one, whatever case, `_` and `-`. */
export function isNear(name: string, known: string): boolean {
  if (name.length > maxNameLength) return false;
  const [left, right] = [plain(name), plain(known)];
  if (left === right) return true;
  if (left[0] !== right[0]) return false;
  const maxErrors = right.length < 8 ? 1 : 2;
  return Math.abs(left.length - right.length) <= maxErrors && editDistance(left, right) <= maxErrors;
}

/** Whether two names begin with the same word of at least four letters: `autoApprove` and `autoAccept`. */
export function haveSameFirstWord(name: string, known: string): boolean {
  const word = /^[a-z]{4,}(?=[A-Z_-])/.exec(known)?.[0];
  return word !== undefined && name.length <= maxNameLength && /^[a-z]+(?=[A-Z_-])/.exec(name)?.[0] === word;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '');
}
