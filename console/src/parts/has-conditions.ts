import { type Filter, FilterError, type FilterFields, flagOf, parseFilter } from '@corral/contract';

/** Whether a filter has conditions that only the hub checks, rather than words that all have to occur somewhere in a row. */
export function hasConditions(filter: string, fields: FilterFields): boolean {
  try {
    const parsed = parseFilter(filter, flagOf(fields));
    return parsed !== undefined && !isOfWords(parsed, filter);
  } catch (error) {
    // An unfinished filter, such as "not" or an open bracket, is searched for as text.
    if (error instanceof FilterError) return /[:<>=]|(?:^|[\s(])"/u.test(filter);
    throw error;
  }
}

/** Whether a filter is nothing but its words as they are written: without operators, quotation marks, brackets and stars. */
function isOfWords(filter: Filter, written: string): boolean {
  const parts = filter.kind === 'and' ? filter.parts : [filter];
  const words = parts.map((part) => (part.kind === 'text' ? part.text : ''));
  return words.join(' ') === written.trim().split(/\s+/u).join(' ');
}
