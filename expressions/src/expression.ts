/** A JSON value. Integers that a double would change are the objects of `JSON.rawJSON`. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** A key of an object, or an index of an array from 0. */
export type PathSegment = string | number;

/** A path into a value; empty for the value itself. */
export type Path = readonly PathSegment[];

/** The operands of a comparison. */
export type Operands = { readonly left: Expr; readonly right: Expr };

/** Comparisons that ask for the order of two numbers or two texts. */
export type Order = 'LessThan' | 'LessThanOrEquals' | 'GreaterThan' | 'GreaterThanOrEquals';

type Default = { readonly default?: Expr | undefined };

/** An expression over the properties of a device, and in a mutation over the value that it changes. */
export type Expr =
  | { readonly kind: 'Literal'; readonly value: Json }
  /** The value that a mutation changes; null for a property that does not exist. */
  | { readonly kind: 'Current' }
  /** The property of exactly this name. */
  | ({ readonly kind: 'NamedValue'; readonly name: string } & Default)
  /** The default also serves a missing name inside `expr`. */
  | ({ readonly kind: 'Get'; readonly expr: Expr; readonly path: Path } & Default)
  | ({ readonly kind: 'Equals' | 'NotEquals' } & Operands)
  | ({ readonly kind: Order } & Operands)
  /** Whether `right`, an array, has an element that is equal to `left`. */
  | ({ readonly kind: 'In' } & Operands)
  /** Each operand is a boolean; those behind the first that decides are not evaluated. */
  | { readonly kind: 'And' | 'Or'; readonly exprs: readonly Expr[] }
  | { readonly kind: 'Not'; readonly expr: Expr }
  /** Whether there is a value at the path, null included; false where a name inside `expr` is missing. */
  | { readonly kind: 'Exists'; readonly expr: Expr; readonly path: Path }
  | { readonly kind: 'VersionRequirement'; readonly expr: Expr; readonly requirement: string };

/** A change of one value, such as a property. */
export type Mutation =
  | { readonly mutation: 'Set'; readonly path: Path; readonly expr: Expr }
  /** Merges the value of `expr` as a JSON merge patch (RFC 7386) into the value at the path. */
  | { readonly mutation: 'MergePatch'; readonly path: Path; readonly expr: Expr }
  | { readonly mutation: 'Remove'; readonly path: Path };
