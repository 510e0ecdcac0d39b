import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as any from '../test/arbitraries.ts';
import { answer, meets } from '../test/answers.ts';
import { absent, mutationAnswer } from '../test/reference.ts';
import { applyMutation } from './apply-mutation.ts';
import type { Expr, Json, Mutation } from './expression.ts';

const runs = 20_000;
const nothing = new Map<string, Json>();
const literal = (value: Json): Expr => ({ kind: 'Literal', value });
const currents = fc.option(any.json, { nil: undefined, freq: 5 });

test(`${runs} random mutations give the reference's value, or the same kind of error, and change nothing else`, () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(any.mutation, currents, any.properties, (mutation, current, properties) => {
      const before = JSON.stringify([mutation, current, properties]);
      const after = answer(applyMutation(mutation, current, new Map(Object.entries(properties))));
      expect(after).toEqual(mutationAnswer(mutation, { properties, current: absentOr(current), meets }));
      expect(JSON.stringify([mutation, current, properties])).toBe(before);
      expect(({} as Record<string, unknown>)['a']).toBeUndefined();
      seen.add(`${mutation.mutation} ${after[0] === 'error' ? after[1] : after[0]}`);
    }),
    { numRuns: runs },
  );
  for (const what of [
    'Set value',
    'Set BadPath',
    'MergePatch value',
    'MergePatch BadPath',
    'Remove value',
    'Remove gone',
  ])
    expect(seen).toContain(what);
});

function absentOr(current: Json | undefined): Json | typeof absent {
  return current === undefined ? absent : current;
}

describe('laws', () => {
  const set = (path: Mutation['path'], value: Json): Mutation => ({
    mutation: 'Set',
    path,
    expr: literal(value),
  });

  test('what was set is there, and setting it again changes nothing', () => {
    fc.assert(
      fc.property(any.path, any.json, currents, (path, value, current) => {
        const once = applyMutation(set(path, value), current, nothing);
        fc.pre(once.error === undefined);
        const read = {
          mutation: 'Set',
          path: [],
          expr: { kind: 'Get', expr: { kind: 'Current' }, path },
        } as const;
        expect(applyMutation(read, once.value, nothing)).toEqual({ value });
        const isAppended = typeof path.at(-1) === 'number';
        if (!isAppended) expect(applyMutation(set(path, value), once.value, nothing)).toEqual(once);
      }),
      { numRuns: 5_000 },
    );
  });

  test('what was added under a new key and removed leaves the value before', () => {
    fc.assert(
      fc.property(any.json, currents, (value, current) => {
        const added = applyMutation(set(['new'], value), current, nothing);
        fc.pre(added.error === undefined && current !== undefined);
        expect(applyMutation({ mutation: 'Remove', path: ['new'] }, added.value, nothing)).toEqual({
          value: current,
        });
      }),
    );
  });

  test('the current value, set or merged into itself, stays', () => {
    fc.assert(
      fc.property(any.json, (current) => {
        const itself = { mutation: 'Set', path: [], expr: { kind: 'Current' } } as const;
        expect(applyMutation(itself, current, nothing)).toEqual({ value: current });
      }),
    );
  });
});

test.each<[what: string, mutation: Mutation, current: Json | undefined, after: Json | undefined]>([
  [
    'missing objects are made',
    { mutation: 'Set', path: ['a', 'b'], expr: literal(1) },
    undefined,
    { a: { b: 1 } },
  ],
  [
    'so is an array for its first element',
    { mutation: 'Set', path: ['a', 0], expr: literal(1) },
    {},
    { a: [1] },
  ],
  ['the next index appends', { mutation: 'Set', path: [2], expr: literal(3) }, [1, 2], [1, 2, 3]],
  ['an index replaces', { mutation: 'Set', path: [0], expr: literal(3) }, [1, 2], [3, 2]],
  ['an absent property is null', { mutation: 'Set', path: [], expr: { kind: 'Current' } }, undefined, null],
  ['a removed element leaves no hole', { mutation: 'Remove', path: ['a', 0] }, { a: [1, 2] }, { a: [2] }],
  ['what is absent can be removed', { mutation: 'Remove', path: ['a', 'b'] }, { a: 1 }, { a: 1 }],
  ['the whole can be removed', { mutation: 'Remove', path: [] }, { a: 1 }, undefined],
])('%s', (_, mutation, current, after) => {
  expect(applyMutation(mutation, current, nothing)).toEqual({ value: after });
});

// The examples of RFC 7386, appendix A.
test.each<[target: Json, patch: Json, result: Json]>([
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])('%j merged with %j is %j', (target, patch, result) => {
  const at = (path: string[]): Mutation => ({ mutation: 'MergePatch', path, expr: literal(patch) });
  expect(applyMutation(at([]), target, nothing)).toEqual({ value: result });
  expect(applyMutation(at(['x']), { x: target }, nothing)).toEqual({ value: { x: result } });
});

test.each<[mutation: Mutation, current: Json | undefined, message: string]>([
  [
    { mutation: 'Set', path: ['a', 'b'], expr: literal(1) },
    { a: null },
    'At path.1: the key "b" leads into null, not into an object.',
  ],
  [
    { mutation: 'Set', path: [0], expr: literal(1) },
    {},
    'At path.0: the index 0 leads into an object, not into an array.',
  ],
  [
    { mutation: 'MergePatch', path: [3], expr: literal({}) },
    [1],
    'At path.0: the array has 1 elements: the index 3 is behind the next one.',
  ],
  [
    { mutation: 'Set', path: ['a'], expr: { kind: 'Get', expr: { kind: 'Current' }, path: ['b'] } },
    {},
    'At expr: there is no value at the path [b].',
  ],
  [
    { mutation: 'Set', path: Array.from({ length: 31 }, () => 'a'), expr: literal([]) },
    undefined,
    'The result is nested deeper than 31 levels.',
  ],
])('%j of %j is an error that names its place', (mutation, current, message) => {
  expect(applyMutation(mutation, current, nothing).error?.message).toBe(message);
});

test('a key of the language is a field like others', () => {
  const polluting: Mutation = { mutation: 'Set', path: ['__proto__', 'isAdmin'], expr: literal(true) };
  const after = applyMutation(polluting, {}, nothing);
  expect(JSON.stringify(after.value)).toBe('{"__proto__":{"isAdmin":true}}');
  const patch = literal(JSON.parse('{"__proto__":{"isAdmin":true}}') as Json);
  applyMutation({ mutation: 'MergePatch', path: ['constructor', 'prototype'], expr: patch }, {}, nothing);
  expect('isAdmin' in {}).toBe(false);
  expect('isAdmin' in Object).toBe(false);
});
