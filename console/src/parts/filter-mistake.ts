import { checkFilter, FilterError, type FilterFields, mistakeRange } from '@corral/contract';
import type { FilterMistake } from '../ui/table/MistakeInFilter.tsx';

/** Characters of the filter that are shown on each side of the mistake. */
const maxAround = 40;

/** The mistake in a filter that shows without the hub. */
export function mistakeIn(text: string, fields: FilterFields): FilterMistake | undefined {
  try {
    checkFilter(text, fields);
    return undefined;
  } catch (error) {
    if (error instanceof FilterError) return mistakeOf(text, error);
    throw error;
  }
}

/** A `FilterError` with the text around it, to be shown. */
export function mistakeOf(text: string, { message, at }: FilterError): FilterMistake {
  const { start, end } = mistakeRange(text, at);
  const before = Array.from(text.slice(0, start));
  const after = Array.from(text.slice(end));
  return {
    sentence: message,
    before: (before.length > maxAround ? '…' : '') + before.slice(-maxAround).join(''),
    piece: text.slice(start, end),
    after: after.slice(0, maxAround).join('') + (after.length > maxAround ? '…' : ''),
  };
}
