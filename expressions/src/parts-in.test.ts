import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as any from '../test/arbitraries.ts';
import { evaluatePredicate } from './evaluate.ts';
import type { Expr } from './expression.ts';
import { valueAt } from './paths.ts';
import { fromParts, partsIn } from './parts-in.ts';

const ota = { kind: 'NamedValue', name: 'ota' } as const;

test('the parts are those that stand behind a name, or else the whole property', () => {
  const expr: Expr = {
    kind: 'And',
    exprs: [
      { kind: 'Exists', expr: ota, path: ['a', 0] },
      { kind: 'Get', expr: { ...ota, default: { kind: 'NamedValue', name: 'site' } }, path: ['b'] },
    ],
  };
  expect(partsIn([expr])).toEqual(
    new Map([
      ['site', [[]]],
      ['ota', [['b'], ['a', 0]]],
    ]),
  );
});

test('20000 random predicates have the same value or error over the parts that they read', () => {
  fc.assert(
    fc.property(any.expr, any.properties, (expr, properties) => {
      const scope = new Map(Object.entries(properties));
      const parts = partsIn([expr]);
      const reduced = new Map(
        [...parts].flatMap(([name, paths]) => {
          const value = scope.get(name);
          if (value === undefined) return [];
          const found = paths.map((path) => valueAt(value, path));
          return [[name, fromParts(paths, found)] as const];
        }),
      );
      expect(evaluatePredicate(expr, reduced)).toEqual(evaluatePredicate(expr, scope));
    }),
    { numRuns: 20_000 },
  );
});
