import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../source-files.ts';

/** The table of rights, each line of which a test of the hub proves. */
const table = join(repositoryRoot, 'hub/src/domains/authorization-matrix.golden');
const columnWidth = 20;
const firstColumn = 26;

/** Who may do each action with what is their own or their project's, in words, by its name. */
export function whoMay(): ReadonlyMap<string, string> {
  const words = new Map<string, string>();
  for (const block of readFileSync(table, 'utf8').split('\n\n')) {
    const [title = '', columns = '', ...rows] = block.trimStart().split('\n');
    const [, name] = /^([a-z]+_\w+)(?: .*)? \((?:command|query)\)$/.exec(title) ?? [];
    if (name === undefined || words.has(name)) continue;
    // Administrators may do to others what they may not do to themselves.
    const count = columns.includes('colleague') ? 2 : 1;
    const verdicts = new Map(
      rows.map((row) => [
        row.slice(2, firstColumn).trim(),
        row.slice(firstColumn, firstColumn + count * columnWidth),
      ]),
    );
    const are = (pattern: RegExp) => (caller: string) => pattern.test(verdicts.get(caller) ?? '');
    words.set(name, wordsOf(name, are(/\b(?:ok|idle|refused)\b/), are(/^not-found\b/)));
  }
  return words;
}

type IsTrueOf = (caller: string) => boolean;

/** `may` are callers for whom it worked; where there are none, it is for those who were told that there is no such thing. */
function wordsOf(name: string, may: IsTrueOf, foundNothing: IsTrueOf): string {
  return (
    callersOf(name, may) ??
    (may('the hub itself') ? 'only the hub itself' : undefined) ??
    callersOf(name, foundNothing) ??
    'whom the sentence above names'
  );
}

function callersOf(name: string, may: IsTrueOf): string | undefined {
  if (may('nobody')) return 'anybody';
  const devices = may('the device') || may('device of the project') ? ['devices'] : [];
  if (may('stranger')) return ['anybody who is signed in, with what is their own', ...devices].join(', ');
  const people = {
    invited: 'who is invited',
    member: 'members',
    owner: 'owners',
    ...(name.startsWith('repositories_') && { 'reader of the project': 'members of linked projects' }),
    administrator: 'administrators',
  };
  const all = Object.entries(people).flatMap(([caller, word]) => (may(caller) ? [word] : []));
  return all.length + devices.length === 0 ? undefined : [...all, ...devices].join(', ');
}
