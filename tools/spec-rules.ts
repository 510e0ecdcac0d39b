// Checks that a test cites each numbered rule of the protocol, and that each cited rule exists.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from './file-rules.ts';
import { isTestFile, sourcePaths } from './source-files.ts';

const specPath = 'multiplex/SPEC.md';
const ruleId = '[A-Z]{2}\\d+[a-z]?';

/** The rule ids that a specification defines, in bold where they are defined: **FR1**. */
export const definedRules = (spec: string): string[] => [
  ...new Set(
    [...spec.matchAll(new RegExp(`\\*\\*(${ruleId})\\*\\*`, 'g'))].map((match) => match[1] as string),
  ),
];

/** The rule ids that test names cite in brackets: `[FR1]` or `[FR1, FR2]` inside a string. */
export function citedRules(test: string): string[] {
  const list = new RegExp(`\\[(${ruleId}(?:,\\s*${ruleId})*)\\]`, 'g');
  const names = test.match(/(['"`])(?:\\.|(?!\1)[^\\\n])*\1/g) ?? [];
  return names.flatMap((name) =>
    [...name.matchAll(list)].flatMap((match) => (match[1] as string).split(/,\s*/)),
  );
}

/** Compares a specification with the tests, given as path and text. */
export function compareRules(spec: string, tests: { path: string; text: string }[]): Finding[] {
  const defined = definedRules(spec);
  const cited = tests.flatMap(({ path, text }) => citedRules(text).map((rule) => ({ path, rule })));
  const citedRuleIds = new Set(cited.map(({ rule }) => rule));
  const uncited = defined
    .filter((rule) => !citedRuleIds.has(rule))
    .map((rule) =>
      finding(specPath, `rule ${rule} has no test: write one and cite it in the name, '... [${rule}]'.`),
    );
  const unknown = cited
    .filter(({ rule }) => !defined.includes(rule))
    .map(({ path, rule }) => finding(path, `cites [${rule}], which ${specPath} does not define.`));
  return [...uncited, ...unknown];
}

/** All findings in a repository. */
export function checkSpecRules(root: string): Finding[] {
  if (!existsSync(join(root, specPath)))
    return [finding(specPath, 'is missing: it holds the numbered rules of the protocol.')];
  const read = (path: string): string => readFileSync(join(root, path), 'utf8');
  // The tests of tools/ cite rules that do not exist.
  const tests = sourcePaths(root).files.filter((path) => isTestFile(path) && !path.startsWith('tools/'));
  return compareRules(
    read(specPath),
    tests.map((path) => ({ path, text: read(path) })),
  );
}

const finding = (place: string, message: string): Finding => ({ severity: 'error', place, message });
