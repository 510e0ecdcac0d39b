/** Whether a release such as `0.2.0` is older than another; what follows the three numbers, as in `0.2.0-rc.1`, does not count. */
export function isOlderRelease(release: string, other: string): boolean {
  const [left, right] = [numbersOf(release), numbersOf(other)];
  const differing = left.findIndex((number, index) => number !== right[index]);
  return differing !== -1 && (left[differing] ?? 0) < (right[differing] ?? 0);
}

const numbersOf = (release: string): number[] =>
  [0, 1, 2].map((index) => Number.parseInt(release.split('.')[index] ?? '0', 10) || 0);
