/** A value of a test; which kinds it can be read as depends on how it is written: `7d` is a text and a duration. */
export interface FilterValue {
  readonly text: string;
  /** `text` is only the beginning of what is looked for. */
  readonly isPrefix: boolean;
  /** Written in quotation marks: only a text. */
  readonly isQuoted: boolean;
  /** Where it begins: the index of its first character in the filter. */
  readonly at: number;
}

/** How a test compares; `@` asks whether a version is in a range. */
export type FilterOperator = ':' | '=' | '!=' | '<' | '<=' | '>' | '>=' | '@';

/** A test that compares a field; only `:` has several values, of which one must fit. */
export interface Comparison {
  readonly kind: 'compare';
  readonly field: string;
  readonly operator: FilterOperator;
  readonly values: readonly FilterValue[];
  readonly at: number;
}

/** A condition that a row passes or fails. A row without a value fails every comparison with it. */
export type FilterTest =
  | Comparison
  /** A field that is true or false, named alone. */
  | { readonly kind: 'flag'; readonly field: string; readonly at: number }
  /** Whether there is a value. */
  | { readonly kind: 'has'; readonly field: string; readonly at: number }
  /** A text in one of the fields that a list is searched in, in any case. */
  | { readonly kind: 'text'; readonly text: string; readonly isPrefix: boolean; readonly at: number };

/** What rows are selected: a tree of tests. */
export type Filter =
  | { readonly kind: 'all' }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Filter[] }
  | { readonly kind: 'not'; readonly part: Filter }
  | FilterTest;

/** All tests of a filter, from left to right. */
export function testsOf(filter: Filter): readonly FilterTest[] {
  if (filter.kind === 'all') return [];
  if (filter.kind === 'not') return testsOf(filter.part);
  return 'parts' in filter ? filter.parts.flatMap(testsOf) : [filter];
}
