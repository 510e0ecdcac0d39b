import { expect, test } from 'vitest';
import { citedRules, compareRules, definedRules } from './spec-rules.ts';

const spec =
  '- **FR1** A frame starts with its kind. **not a rule**\n- **CR12** Credit is never negative (see FR1).\n';

test('a rule is defined where its id is in bold', () => {
  expect(definedRules(spec)).toEqual(['FR1', 'CR12']);
});

test('a citation is an id in brackets inside a string, alone or in a list', () => {
  const text =
    "test('reads a kind [FR1]', ...);\ntest(`both [FR1, CR12]`, ...);\n// [XX1]\nconst a = list[FR2];";
  expect(citedRules(text)).toEqual(['FR1', 'FR1', 'CR12']);
});

test('a rule without a test and a citation without a rule are both found', () => {
  const found = compareRules(spec, [{ path: 'a.test.ts', text: "test('x [FR1]'); test('y [FR9]');" }]);
  expect(found.map(({ place, message }) => `${place} ${message}`)).toEqual([
    expect.stringMatching(/^multiplex\/SPEC\.md rule CR12 has no test/),
    expect.stringMatching(/^a\.test\.ts cites \[FR9\]/),
  ]);
});
