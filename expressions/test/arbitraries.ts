import fc from 'fast-check';
import type { Expr, Json, Mutation, Path } from '../src/expression.ts';

/** Few keys and names, so that they often meet. */
const key = fc.constantFrom('a', 'b', 'ring', '__proto__', '0');
const name = fc.constantFrom('ota', 'site', 'disks', 'toString', 'absent');
const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => Json };
/** Integers beyond doubles, and their neighbours that are doubles. */
const longInteger = fc.constantFrom(
  '9007199254740993',
  '-9007199254740993',
  '1152921504606846976',
  '99999999999999999999999',
);
const number = fc.oneof(
  fc.integer({ min: -2, max: 3 }),
  fc.constantFrom(-0, 1.5, 0.1, 1e-7, 2 ** 53, 2 ** 60, 1e23, -1e300, 9007199254740992, 9007199254740994),
  longInteger.map((digits) => rawJSON(digits)),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const text = fc.oneof(
  fc.constantFrom(
    '',
    'a',
    'ab',
    'b',
    '1',
    'true',
    '\u{1f600}',
    '\uffff',
    '\ud800',
    '1.4.2',
    '2026.08.1',
    '1042',
  ),
  fc.string({ unit: 'binary', maxLength: 4 }),
);

/** A value such as devices report. */
export const json: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constantFrom<Json>(null, true, false),
    number,
    text,
    fc.array(tie('value'), { maxLength: 4 }),
    fc
      .array(fc.tuple(key, tie('value')), { maxLength: 4 })
      .map((entries) => Object.fromEntries(entries) as Json),
  ),
})).value;

/** A path that often leads somewhere. */
export const path: fc.Arbitrary<Path> = fc.array(fc.oneof(key, fc.nat({ max: 4 })), { maxLength: 3 });

const requirement = fc.constantFrom('^1.2', '>=2026.08', '>= 1042', '1.*', 'what', '~1.4 || 2');

/** An expression over the names above. */
export const expr: fc.Arbitrary<Expr> = fc.letrec<{ expr: Expr; truth: Expr }>((tie) => {
  const maybe = fc.option(tie('expr'), { nil: undefined, freq: 2 });
  const literal = json.map((value): Expr => ({ kind: 'Literal', value }));
  const named = fc.record({ kind: fc.constant('NamedValue' as const), name, default: maybe });
  const got = fc.record({ kind: fc.constant('Get' as const), expr: tie('expr'), path, default: maybe });
  const comparison = fc.record({
    kind: fc.constantFrom(
      'Equals',
      'NotEquals',
      'LessThan',
      'LessThanOrEquals',
      'GreaterThan',
      'GreaterThanOrEquals',
      'In',
    ),
    left: tie('expr'),
    right: tie('expr'),
  });
  return {
    expr: fc.oneof(
      { maxDepth: 5, depthSize: 'small' },
      literal,
      named,
      fc.constant<Expr>({ kind: 'Current' }),
      got,
      tie('truth'),
    ),
    truth: fc.oneof(
      { maxDepth: 5, depthSize: 'small' },
      fc.boolean().map((value): Expr => ({ kind: 'Literal', value })),
      comparison as fc.Arbitrary<Expr>,
      fc.record({
        kind: fc.constantFrom('And' as const, 'Or' as const),
        exprs: fc.array(fc.oneof({ weight: 4, arbitrary: tie('truth') }, tie('expr')), {
          minLength: 1,
          maxLength: 4,
        }),
      }),
      fc.record({ kind: fc.constant('Not' as const), expr: tie('truth') }),
      fc.record({ kind: fc.constant('Exists' as const), expr: tie('expr'), path }),
      fc.record({ kind: fc.constant('VersionRequirement' as const), expr: tie('expr'), requirement }),
    ),
  };
}).expr;

/** The properties of a device; each may be absent. */
export const properties = fc.record<Record<string, Json>>(
  { ota: json, site: json, disks: json, toString: json },
  { requiredKeys: [] },
);

/** A change. */
export const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.record({ mutation: fc.constantFrom('Set' as const, 'MergePatch' as const), path, expr }),
  fc.record({ mutation: fc.constant('Remove' as const), path }),
);
