import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as any from '../test/arbitraries.ts';
import { answer, meets } from '../test/answers.ts';
import { answerOf, predicateAnswer } from '../test/reference.ts';
import { evaluate, evaluatePredicate } from './evaluate.ts';
import type { Expr, Json } from './expression.ts';
import { namesIn } from './names-in.ts';

const runs = 20_000;

describe('against the reference', () => {
  test(`${runs} random expressions over random properties have the same value, or the same kind of error`, () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(any.expr, any.properties, (expr, properties) => {
        const outcome = answer(evaluate(expr, new Map(Object.entries(properties))));
        expect(outcome).toEqual(answerOf(expr, { properties, meets }));
        const what = outcome[0] === 'error' ? outcome[1] : typeof outcome[1];
        seen.set(what, (seen.get(what) ?? 0) + 1);
      }),
      { numRuns: runs },
    );
    for (const what of ['boolean', 'object', 'Missing', 'WrongType', 'NoCurrent', 'BadVersion'])
      expect(seen.get(what), what).toBeGreaterThan(20);
  });

  test(`${runs} random predicates`, () => {
    fc.assert(
      fc.property(any.expr, any.properties, (expr, properties) => {
        const outcome = evaluatePredicate(expr, new Map(Object.entries(properties)));
        expect(answer(outcome)).toEqual(predicateAnswer(expr, { properties, meets }));
      }),
      { numRuns: runs },
    );
  });
});

const scope = new Map<string, Json>([
  ['ota', { version: '1.4.2', slots: ['a', null] }],
  ['count', 1],
]);
const literal = (value: Json): Expr => ({ kind: 'Literal', value });
const ota: Expr = { kind: 'NamedValue', name: 'ota' };
const absent: Expr = { kind: 'NamedValue', name: 'absent' };

test.each<[what: string, expr: Expr, value: Json]>([
  ['null is a value', { kind: 'Get', expr: ota, path: ['slots', 1], default: literal(7) }, null],
  ['null exists', { kind: 'Exists', expr: ota, path: ['slots', 1] }, true],
  ['an absent property does not exist', { kind: 'Exists', expr: absent, path: [] }, false],
  [
    'the default of Get serves a missing name',
    { kind: 'Get', expr: absent, path: ['x'], default: literal(7) },
    7,
  ],
  ['a key is no index', { kind: 'Exists', expr: ota, path: ['slots', '0'] }, false],
  ['what objects inherit is no value', { kind: 'Exists', expr: ota, path: ['constructor'] }, false],
  ['an index leads into no text', { kind: 'Exists', expr: ota, path: ['version', 0] }, false],
  [
    '1 = 1.0',
    { kind: 'Equals', left: { kind: 'NamedValue', name: 'count' }, right: literal(JSON.parse('1.0')) },
    true,
  ],
  ['true is not 1', { kind: 'Equals', left: literal(true), right: literal(1) }, false],
  ['And stops at the first false', { kind: 'And', exprs: [literal(false), absent] }, false],
  ['Or stops at the first true', { kind: 'Or', exprs: [literal(true), literal(5)] }, true],
  [
    'half of a code point is one by itself',
    { kind: 'LessThan', left: literal('a\ud800'), right: literal('a\uffff') },
    true,
  ],
  [
    'texts are ordered by code points',
    { kind: 'LessThan', left: literal('\uffff'), right: literal('\u{1f600}') },
    true,
  ],
])('%s', (_, expr, value) => {
  expect(evaluate(expr, scope)).toEqual({ value });
});

test.each<[expr: Expr, kind: string, message: string]>([
  [absent, 'Missing', 'The device has no property "absent".'],
  [
    { kind: 'And', exprs: [literal(true), { kind: 'Equals', left: absent, right: literal(1) }] },
    'Missing',
    'At exprs.1.left: the device has no property "absent".',
  ],
  [{ kind: 'Get', expr: ota, path: ['slots', 2] }, 'Missing', 'There is no value at the path [slots, 2].'],
  [{ kind: 'Not', expr: ota }, 'WrongType', 'At expr: this must be true or false; it is an object.'],
  [ota, 'WrongType', 'This must be true or false; it is an object.'],
  [
    { kind: 'In', left: literal(1), right: ota },
    'WrongType',
    'At right: this must be an array; it is an object.',
  ],
  [
    { kind: 'LessThan', left: literal(1), right: literal('2') },
    'WrongType',
    'Two numbers or two texts have an order; this compares a number with a text.',
  ],
  [
    { kind: 'VersionRequirement', expr: literal(2), requirement: '^1' },
    'WrongType',
    'At expr: a version is a text; this is a number.',
  ],
  [
    { kind: 'VersionRequirement', expr: literal('newest'), requirement: '^1' },
    'BadVersion',
    'At expr: "newest" is no version that can be compared, such as 1.4.2, 2026.08, 1042 or 2026-08-14-r3.',
  ],
  [
    { kind: 'VersionRequirement', expr: literal('1.4'), requirement: '1 && 2' },
    'BadRequirement',
    'At requirement: "1 && 2" is no version requirement, such as ^1.4, >=2026.08, ~1.2 || 2.* or * for any version.',
  ],
  [{ kind: 'Not', expr: { kind: 'Current' } }, 'NoCurrent', 'At expr: only a mutation has a current value.'],
])('%j is an error that names its place', (expr, kind, message) => {
  expect(evaluatePredicate(expr, scope).error).toMatchObject({ kind, message });
});

test('integers beyond doubles are compared by their digits', () => {
  const exact = (digits: string) => (JSON as unknown as { rawJSON: (text: string) => Json }).rawJSON(digits);
  const compared = (kind: 'Equals' | 'LessThan', left: Json, right: Json) =>
    evaluate({ kind, left: literal(left), right: literal(right) }, scope).value;
  expect(compared('Equals', exact('9007199254740993'), 9007199254740992)).toBe(false);
  expect(compared('LessThan', 9007199254740992, exact('9007199254740993'))).toBe(true);
  expect(compared('LessThan', exact('-9007199254740993'), -9007199254740992)).toBe(true);
  expect(compared('Equals', exact('9007199254740993'), exact('9007199254740993'))).toBe(true);
  // JSON writes this double as 1152921504606847000.
  expect(compared('LessThan', exact('1152921504606846976'), 2 ** 60)).toBe(true);
});

describe('an evaluation ends, whatever it compares', () => {
  const numbers = Array.from({ length: 60_000 }, (_, index) => index);
  const objects = () => numbers.slice(0, 20_000).map((id) => ({ id, tags: ['a', { b: id }] }));
  const large = new Map<string, Json>([
    ['numbers', numbers],
    ['text', 'x'.repeat(250_000)],
    ['objects', objects()],
    ['alike', objects()],
  ]);
  const named = (name: string): Expr => ({ kind: 'NamedValue', name });
  const many = (one: Expr): Expr => ({ kind: 'And', exprs: Array.from({ length: 600 }, () => one) });
  const manyMore = (one: Expr): Expr => ({ kind: 'And', exprs: Array.from({ length: 4_000 }, () => one) });
  const deep = literal(JSON.parse('['.repeat(31) + ']'.repeat(31)));
  const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => Json };

  test.each<[what: string, expr: Expr]>([
    [
      'arrays',
      many({ kind: 'NotEquals', left: literal([...numbers.slice(0, -1), -1]), right: named('numbers') }),
    ],
    ['objects', { kind: 'Equals', left: named('objects'), right: named('alike') }],
    ['members', many({ kind: 'Not', expr: { kind: 'In', left: literal(-1), right: named('numbers') } })],
    ['texts', many({ kind: 'Equals', left: named('text'), right: literal('x'.repeat(250_000)) })],
    [
      'orders of texts',
      many({ kind: 'LessThan', left: named('text'), right: literal(`${'x'.repeat(249_999)}y`) }),
    ],
    [
      'versions',
      many({ kind: 'VersionRequirement', expr: literal('1.4.2'), requirement: '^1 || '.repeat(36) + '*' }),
    ],
    ['missing names', manyMore({ kind: 'Not', expr: { kind: 'Exists', expr: absent, path: ['x'] } })],
    ['paths', manyMore({ kind: 'Exists', expr: deep, path: Array.from({ length: 30 }, () => 0) })],
    [
      'digits of long integers',
      { kind: 'In', left: literal(rawJSON('9'.repeat(300))), right: named('numbers') },
    ],
  ])('%s', (_, expr) => {
    expect(evaluate(expr, large).error?.kind).toBe('TooMuchWork');
  });

  test('what people ask for is far below the bound', () => {
    const ids = Array.from({ length: 5_000 }, (_, index) => `d_${index}`);
    expect(evaluate({ kind: 'In', left: literal('d_4999'), right: literal(ids) }, large).value).toBe(true);
    expect(
      evaluate({ kind: 'Equals', left: named('numbers'), right: literal([...numbers]) }, large).value,
    ).toBe(true);
  });
});

test('the properties that an expression names are found wherever they stand', () => {
  const expr: Expr = {
    kind: 'And',
    exprs: [
      { kind: 'Not', expr: { kind: 'Exists', expr: absent, path: ['x'] } },
      {
        kind: 'In',
        left: { kind: 'Get', expr: ota, path: [], default: { kind: 'NamedValue', name: 'site' } },
        right: literal([]),
      },
      {
        kind: 'VersionRequirement',
        expr: { kind: 'NamedValue', name: 'os', default: { kind: 'NamedValue', name: 'system' } },
        requirement: '*',
      },
    ],
  };
  expect([...namesIn(expr)].toSorted()).toEqual(['absent', 'os', 'ota', 'site', 'system']);
});
