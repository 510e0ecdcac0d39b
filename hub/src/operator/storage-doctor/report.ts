import type { Finding } from '../doctor/finding.ts';
import type { Tally } from './tally.ts';

/** A finding about the stores, with the number and examples of its objects. */
export interface StorageFinding extends Finding, Tally {}

/** How the command treats problems. */
export type Mode = 'report' | 'dry-run' | 'fix';

/** The sentences about one kind of problem. */
export interface Sentences {
  readonly check: string;
  /** The problem in words, such as "2 objects belong to no asset". */
  readonly found: (count: number) => string;
  /** What --fix would do, such as "delete them". */
  readonly fix: string;
  /** What --fix has done, such as "They are deleted." */
  readonly fixed: string;
}

const maxNamed = 3;

/** The finding about one kind of problem; empty if there is none. A fixed problem is right again. */
export function findingsOf(
  { check, found, fix, fixed }: Sentences,
  { count, examples }: Tally,
  mode: Mode,
): StorageFinding[] {
  if (count === 0) return [];
  const named = `${found(count)}: ${examplesOf({ count, examples })}.`;
  const about = { check, count, examples };
  if (mode === 'fix') return [{ ...about, state: 'right', text: `${named} ${fixed}` }];
  return [{ ...about, state: 'wrong', text: mode === 'dry-run' ? `${named} --fix would ${fix}.` : named }];
}

/** The first examples, in words. */
export function examplesOf({ count, examples }: Tally): string {
  const first = examples.slice(0, maxNamed).join(', ');
  return count > maxNamed && examples.length > maxNamed ? `${first} and ${count - maxNamed} more` : first;
}

/** A number with a noun. */
export const counted = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`;
