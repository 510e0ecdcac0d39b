import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../source-files.ts';

/** The table of rights, each line of which a test of the hub proves. */
const table = join(repositoryRoot, 'hub/src/domains/authorization-matrix.golden');
const isAllowed = (verdict: string): boolean => /^(?:ok|idle|refused)\b/.test(verdict);
const verdictWidth = 20;

/** Who may do each action with what is their own or their project's, in words, by its name. */
export function whoMay(): ReadonlyMap<string, string> {
  const words = new Map<string, string>();
  for (const block of readFileSync(table, 'utf8').split('\n\n')) {
    const [title = '', columns = '', ...rows] = block.trimStart().split('\n');
    const [, name] = /^([a-z]+_\w+)(?: .*)? \((?:command|query)\)$/.exec(title) ?? [];
    if (name === undefined || words.has(name)) continue;
    const at = Math.max(columns.search(/\S/), 26);
    const verdicts = new Map(rows.map((row) => [row.slice(2, at).trim(), row.slice(at, at + verdictWidth)]));
    words.set(
      name,
      wordsOf(name, (caller) => isAllowed(verdicts.get(caller) ?? '')),
    );
  }
  return words;
}

function wordsOf(name: string, may: (caller: string) => boolean): string {
  if (may('nobody')) return 'anybody';
  const devices = may('the device') || may('device of the project') ? ['devices'] : [];
  if (may('stranger')) return ['anybody who is signed in', ...devices].join(', ');
  const isOfRepository = name.startsWith('repositories_');
  const people = [
    ...(may('member') ? ['members'] : []),
    ...(may('owner') ? ['owners'] : []),
    ...(isOfRepository && may('reader of the project') ? ['members of linked projects'] : []),
    ...(may('administrator') ? ['administrators'] : []),
  ];
  const all = [...people, ...devices];
  return all.length === 0 ? 'only the hub itself' : all.join(', ');
}
