import {
  findField,
  type FilterFields,
  hasOnlyNamedFields,
  isFixedField,
  flagOf,
  validateComparison,
} from './fields.ts';
import { type Filter, testsOf } from './filter.ts';
import { parseFilter } from './parse-filter.ts';

/**
 * Parses a filter and checks the operators and values of its fixed fields, for which no names of properties are needed, and the names of the
 * fields of a list that has only named ones. Undefined for a filter without any text. Throws a `FilterError`.
 */
export function checkFilter(text: string, fields: FilterFields): Filter | undefined {
  const filter = parseFilter(text, flagOf(fields));
  const isClosed = hasOnlyNamedFields(fields);
  for (const test of filter === undefined ? [] : testsOf(filter)) {
    if (test.kind === 'text' || !(isClosed || isFixedField(test.field, fields))) continue;
    const found = findField(test.field, test.at, fields);
    if (test.kind === 'compare') validateComparison(test, found);
  }
  return filter;
}

/** The range of the name, value or operator at a mistake, to mark it; empty at the end of the filter. */
export function mistakeRange(text: string, at: number): { readonly start: number; readonly end: number } {
  const start = Math.min(at, text.length);
  const [piece = ''] = /^(?:"(?:[^"\\]|\\.)*"?|[^\s"():=!<>,]+|\S)/su.exec(text.slice(start)) ?? [];
  return { start, end: start + piece.length };
}
