// Checks that the name of a test quotes each sentence of e2e/sentences.md.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from './file-rules.ts';
import { isTestFile, sourcePaths } from './source-files.ts';

const listPath = 'e2e/sentences.md';

/** A sentence and its line in the list, from 1. */
export interface Sentence {
  readonly text: string;
  readonly line: number;
}

/** The sentences of a list: its items, `- …`. */
export const listedSentences = (list: string): Sentence[] =>
  list
    .split('\n')
    .flatMap((text, index) =>
      text.startsWith('- ') ? [{ text: text.slice(2).trim(), line: index + 1 }] : [],
    );

/** The parts in double quotes of the names of `test(…)` and `it(…)`. */
export function quotedInNames(test: string): string[] {
  const names = test.matchAll(/\b(?:test|it)(?:\.each\([^)]*\))?\(\s*(['`])((?:\\.|(?!\1)[^\\])*)\1/g);
  return [...names].flatMap(([, , name = '']) =>
    [...name.matchAll(/"([^"]+)"/g)].map((match) => (match[1] as string).replaceAll("\\'", "'")),
  );
}

/** The sentences that no test quotes in full; case and a final full stop are ignored. */
export function unquotedSentences(list: string, tests: readonly string[]): Sentence[] {
  const quoted = new Set(tests.flatMap(quotedInNames).map(plain));
  return listedSentences(list).filter(({ text }) => !quoted.has(plain(text)));
}

const plain = (text: string): string => text.replace(/\.$/, '').toLowerCase();

/** All findings in a repository. */
export function checkSpecSentences(root: string): Finding[] {
  if (!existsSync(join(root, listPath)))
    return [finding(listPath, 'is missing: it lists the sentences of the product that tests prove.')];
  const read = (path: string): string => readFileSync(join(root, path), 'utf8');
  const tests = sourcePaths(root).files.filter((path) => isTestFile(path) && !path.startsWith('tools/'));
  return unquotedSentences(read(listPath), tests.map(read)).map(({ text, line }) =>
    finding(`${listPath}:${line}`, `no test proves "${text}": write one and quote the sentence in its name.`),
  );
}

const finding = (place: string, message: string): Finding => ({ severity: 'error', place, message });
