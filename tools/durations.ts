/** The wall-clock seconds of a part of a run, and of each of its test files. */
export interface PartDuration {
  readonly part: string;
  readonly seconds: number;
  readonly fileSeconds: ReadonlyMap<string, number>;
}

const slowestCount = 10;

/** Lines with the duration of each part of a run and its ten slowest files. */
export function durationLines(parts: readonly PartDuration[]): string[] {
  return parts.flatMap(({ part, seconds, fileSeconds }) => [
    `${part}: ${Math.round(seconds)} s; its slowest files:`,
    ...[...fileSeconds]
      .sort(([, one], [, other]) => other - one)
      .slice(0, slowestCount)
      .map(([file, each]) => `${each.toFixed(1).padStart(7)} s  ${file}`),
  ]);
}

/** Adds the seconds of entries that name the same file. */
export function secondsByFile(
  entries: Iterable<readonly [file: string, seconds: number]>,
): Map<string, number> {
  const total = new Map<string, number>();
  for (const [file, seconds] of entries) total.set(file, (total.get(file) ?? 0) + seconds);
  return total;
}
