import type { Finding } from '../doctor/finding.ts';
import type { Tally } from './tally.ts';

/** A finding about the stores, with what it is about. */
export interface StorageFinding extends Finding, Tally {}

/** What the command does about what it finds. */
export type Mode = 'report' | 'dry-run' | 'fix';

/** The sentences about things of one kind. */
export interface Sentences {
  readonly check: string;
  /** Things of this kind in words, such as "2 objects belong to no asset". */
  readonly found: (count: number) => string;
  /** What --fix does about them, such as "deletes them". */
  readonly fix: string;
  /** What was done, such as "were deleted". */
  readonly fixed: string;
}

const shown = 3;

/** What was found of one kind; nothing for none. What was fixed is right again. */
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

/** The first things, in words. */
export function examplesOf({ count, examples }: Tally): string {
  const first = examples.slice(0, shown).join(', ');
  return count > shown && examples.length > shown ? `${first} and ${count - shown} more` : first;
}

/** A number with a noun. */
export const counted = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`;
