import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { flagOf } from './fields.ts';
import { testsOf, type Filter, type FilterTest } from './filter.ts';
import { FilterError } from './FilterError.ts';
import { deviceFields } from './list-fields.ts';
import { maxFilterCharacters, parseFilter } from './parse-filter.ts';

const parse = (text: string) => parseFilter(text, flagOf(deviceFields));

/** The tree without positions, as a text with all brackets. */
function shown(filter: Filter | undefined): string {
  if (filter === undefined) return '';
  if (filter.kind === 'all') return 'all';
  if (filter.kind === 'not') return `not ${shown(filter.part)}`;
  if ('parts' in filter) return `(${filter.parts.map(shown).join(` ${filter.kind} `)})`;
  return shownTest(filter);
}

function shownTest(test_: FilterTest): string {
  if (test_.kind === 'flag') return test_.field;
  if (test_.kind === 'has') return `has:${test_.field}`;
  if (test_.kind === 'text') return `${JSON.stringify(test_.text)}${test_.isPrefix ? '*' : ''}`;
  const values = test_.values.map(({ text, isPrefix }) => JSON.stringify(text) + (isPrefix ? '*' : ''));
  return `${test_.field}${test_.operator}${values.join(',')}`;
}

describe('a filter is parsed', () => {
  const trees: [string, string][] = [
    [
      'connected site.region:north not ota.version:2.4.1',
      '(connected and site.region:"north" and not ota.version:"2.4.1")',
    ],
    ['offline>7d or status:error', '(offline>"7d" or status:"error")'],
    [
      'system.disks.availableSpace<1GB arch:aarch64,armv7l',
      '(system.disks.availableSpace<"1GB" and arch:"aarch64","armv7l")',
    ],
    ['cert:pending -label.ring:canary', '(cert:"pending" and not label.ring:"canary")'],
    ['a or b c and d', '("a" or ("b" and "c" and "d"))'],
    ['(a or b) c', '(("a" or "b") and "c")'],
    ['not (a or b)', 'not ("a" or "b")'],
    ['not not a', 'not not "a"'],
    ['name:"Pump 3",Mill* "a \\"b\\""', '(name:"Pump 3","Mill"* and "a \\"b\\"")'],
    [
      'has:site.region emitted>=2026-11-20T18:30Z x!=1 y=2 z<=3',
      '(has:site.region and emitted>="2026-11-20T18:30Z" and x!="1" and y="2" and z<="3")',
    ],
    ['ota.version@"^2.4 || 3"', 'ota.version@"^2.4 || 3"'],
    ['ann@example.org pump* -', '("ann@example.org" and "pump"* and "-")'],
    ['normal android notes', '("normal" and "android" and "notes")'],
    ['Connected not FLAPPING "Connected"', '(connected and not flapping and "Connected")'],
    ['all', 'all'],
    [' \n', ''],
  ];
  test.each(trees)('%s', (text, tree) => expect(shown(parse(text))).toBe(tree));
});

describe('a mistake is shown where it is', () => {
  const mistakes: [string, number, string][] = [
    ['site:', 5, 'the value of "site" is missing here.'],
    ['site:a,', 7, 'the value of "site" is missing here.'],
    ['a (b or c', 2, 'this bracket is not closed.'],
    ['a) b', 1, 'this bracket closes nothing.'],
    ['a or', 4, 'a condition is missing here.'],
    ['not', 3, 'a condition is missing here.'],
    ['a and or b', 6, '"or" needs a condition; write it in quotation marks to look for it.'],
    ['x "abc', 2, 'the closing quotation mark is missing.'],
    ['has:', 4, 'the name of a field is missing here.'],
    ['()', 1, 'a condition is missing here.'],
    ['=a', 0, 'a condition is missing here.'],
    ['status = ok', 7, 'write "=" without spaces, as in name=value.'],
    [`${'('.repeat(17)}a`, 16, 'brackets and negations may be nested at most 16 deep.'],
    ['a '.repeat(33), 64, 'a filter may have at most 32 conditions.'],
    ['a\0', 1, 'there is a character that no text has.'],
    ['a'.repeat(1001), 1000, 'it may have at most 1000 characters.'],
  ];
  test.each(mistakes)('%s', (text, at, problem) => {
    const error = errorOf(text);
    expect(error).toMatchObject({ kind: 'Invalid', at });
    expect(error?.message).toBe(`The filter has a mistake at character ${at + 1}: ${problem}`);
  });
});

function errorOf(text: string): FilterError | undefined {
  try {
    parse(text);
    return undefined;
  } catch (error) {
    if (error instanceof FilterError) return error;
    throw error;
  }
}

/** Filters as a person may write them, with the tree that they mean. */
const anyWord = fc
  .stringMatching(/^[a-z0-9äλ_-]{1,8}$/u)
  .filter((word) => !/^(?:and|or|not|all|has|connected|flapping|-.*)$/.test(word));
const anyTest = fc.oneof(
  anyWord.map((word) => ({ text: word, tree: JSON.stringify(word) })),
  fc
    .string({ maxLength: 8 })
    .filter((text) => !text.includes('\0'))
    .map((text) => ({ text: `"${text.replaceAll(/["\\]/g, '\\$&')}"`, tree: JSON.stringify(text) })),
  fc.constant({ text: 'connected', tree: 'connected' }),
  anyWord.map((word) => ({ text: `has:${word}`, tree: `has:${word}` })),
  fc
    .tuple(anyWord, fc.constantFrom('=', '!=', '<', '<=', '>', '>='), anyWord)
    .map(([field, operator, value]) => ({
      text: field + operator + value,
      tree: `${field}${operator}${JSON.stringify(value)}`,
    })),
  fc.tuple(anyWord, fc.array(anyWord, { minLength: 1, maxLength: 3 })).map(([field, values]) => ({
    text: `${field}:${values.map((value) => `${value}*`).join()}`,
    tree: `${field}:${values.map((value) => `${JSON.stringify(value)}*`).join()}`,
  })),
);
const { filter: anyFilter } = fc.letrec<{ filter: { text: string; tree: string } }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    anyTest,
    tie('filter').map(({ text, tree }) => ({ text: `not (${text})`, tree: `not ${tree}` })),
    fc
      .tuple(fc.constantFrom('and', 'or'), fc.array(tie('filter'), { minLength: 2, maxLength: 3 }))
      .map(([kind, parts]) => ({
        text: parts.map(({ text }) => `(${text})`).join(` ${kind} `),
        tree: `(${parts.map(({ tree }) => tree).join(` ${kind} `)})`,
      })),
  ),
}));

test('a filter with all brackets is parsed to the tree that it means', () => {
  fc.assert(
    fc.property(anyFilter, ({ text, tree }) => {
      fc.pre(text.length <= maxFilterCharacters);
      expect(shown(parse(text))).toBe(tree);
    }),
  );
});

test('any text is parsed or refused, with a position in it', () => {
  const pieces = fc.constantFrom(
    'a',
    ' ',
    '(',
    ')',
    '"',
    'not ',
    '-',
    ' or ',
    ':',
    '=',
    '<',
    '@',
    ',',
    '\\',
    '*',
    'has:',
    'é',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ maxLength: 60 }),
        fc.array(pieces, { maxLength: 60 }).map((all) => all.join('')),
      ),
      (text) => {
        const error = errorOf(text);
        if (error === undefined) return;
        expect(error.at).toBeGreaterThanOrEqual(0);
        expect(error.at).toBeLessThanOrEqual(text.length);
      },
    ),
    { numRuns: 2000 },
  );
});

test('each test knows where it begins', () => {
  const filter = parse('a (b:1 or not  c>2)') as Filter;
  expect(testsOf(filter).map(({ at }) => at)).toEqual([0, 3, 15]);
});
