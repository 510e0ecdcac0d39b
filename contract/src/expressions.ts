import { z } from 'zod';
import { json, listOf, textUpTo, uint32, type Json } from './scalars.ts';

/** A key of an object, or an index of an array. */
type Path = (string | number)[];
type Operands = { left: Expr; right: Expr };

/** An expression over the properties of a device; @corral/expressions evaluates it. */
export type Expr =
  | { kind: 'Literal'; value: Json }
  | { kind: 'Current' }
  | { kind: 'NamedValue'; name: string; default?: Expr | undefined }
  | { kind: 'Get'; expr: Expr; path: Path; default?: Expr | undefined }
  | ({ kind: (typeof comparisons)[number] } & Operands)
  | { kind: 'And' | 'Or'; exprs: Expr[] }
  | { kind: 'Not'; expr: Expr }
  | { kind: 'Exists'; expr: Expr; path: Path }
  | { kind: 'VersionRequirement'; expr: Expr; requirement: string };

/** A change of a property; @corral/expressions applies it. */
export type Mutation =
  | { mutation: 'Set' | 'MergePatch'; path: Path; expr: Expr }
  | { mutation: 'Remove'; path: Path };

const comparisons = [
  'Equals',
  'NotEquals',
  'LessThan',
  'LessThanOrEquals',
  'GreaterThan',
  'GreaterThanOrEquals',
  'In',
] as const;

const maxSegments = 32;
const maxKeyCharacters = 256;
/** More than an input of 64 KiB has. */
const maxOperands = 4_096;

const name = textUpTo(256).regex(
  /^[a-zA-Z0-9][a-zA-Z0-9._-]*$/,
  'must begin with a letter or a digit, and have only letters, digits, ".", "_" and "-"',
);
const requirement = textUpTo(256).min(1, 'must name a version, such as ^1.4');
const segment = z.union([textUpTo(maxKeyCharacters), uint32], {
  error: `must be a key of at most ${maxKeyCharacters} characters, or an index`,
});
const path = listOf(segment, maxSegments);
/** No input may have a field of these names, so that a value with one could not be written again. */
const changedSegment = segment.refine(
  (key) => key !== '__proto__' && key !== 'constructor',
  'may not be __proto__ or constructor',
);
const changedPath = listOf(changedSegment, maxSegments);

/** An unknown kind is answered with the known ones. */
const oneOf = (kinds: readonly string[]) => ({
  error: ({ code }: { readonly code?: string | undefined }) =>
    code === 'invalid_union'
      ? `must be one of ${kinds.slice(0, -1).join(', ')} and ${kinds.at(-1)}`
      : undefined,
});

const kinds = [
  'Literal',
  'NamedValue',
  'Get',
  ...comparisons,
  'And',
  'Or',
  'Not',
  'Exists',
  'VersionRequirement',
];

function optionsOf(part: z.ZodType<Expr>) {
  return [
    z.object({ kind: z.literal('Literal'), value: json }),
    z.object({ kind: z.literal('NamedValue'), name, default: part.optional() }),
    z.object({ kind: z.literal('Get'), expr: part, path, default: part.optional() }),
    z.object({ kind: z.enum(comparisons), left: part, right: part }),
    z.object({
      kind: z.enum(['And', 'Or']),
      exprs: listOf(part, maxOperands).min(1, 'must have an entry').meta({ maxItems: maxOperands }),
    }),
    z.object({ kind: z.literal('Not'), expr: part }),
    z.object({ kind: z.literal('Exists'), expr: part, path }),
    z.object({ kind: z.literal('VersionRequirement'), expr: part, requirement }),
  ] as const;
}

/** An expression over the properties of a device. */
export const exprSchema: z.ZodType<Expr> = z
  .discriminatedUnion('kind', [...optionsOf(z.lazy(() => exprSchema))], oneOf(kinds))
  .meta({ id: 'Expr' });

/** An expression in a mutation, which may also name the value that is changed. */
const changingExpr: z.ZodType<Expr> = z
  .discriminatedUnion(
    'kind',
    [...optionsOf(z.lazy(() => changingExpr)), z.object({ kind: z.literal('Current') })],
    oneOf([...kinds, 'Current']),
  )
  .meta({ id: 'MutationExpr' });

/** A change of a property. */
export const mutationSchema: z.ZodType<Mutation> = z
  .discriminatedUnion(
    'mutation',
    [
      z.object({ mutation: z.enum(['Set', 'MergePatch']), path: changedPath, expr: changingExpr }),
      z.object({ mutation: z.literal('Remove'), path: changedPath }),
    ],
    oneOf(['Set', 'MergePatch', 'Remove']),
  )
  .meta({ id: 'Mutation' });
