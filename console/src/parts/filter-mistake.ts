import {
  checkFilter,
  FilterError,
  type FilterFields,
  maxFilterCharacters,
  mistakeRange,
} from '@corral/contract';
import type { FilterMistake } from '../ui/table/MistakeInFilter.tsx';

/** Characters of the filter that are shown on each side of the mistake. */
const maxAround = 40;

/** By how many characters a filter that is sent is too long; 0 when it is not. */
export function excessOf(sent: string): number {
  return Math.max(0, sent.length - maxFilterCharacters);
}

/** The mistake in a filter that shows without the hub; the filter that is sent for `text` is too long by `excess` characters. */
export function mistakeIn(text: string, fields: FilterFields, excess: number): FilterMistake | undefined {
  try {
    if (excess > 0) throw tooLong(text.length - excess);
    checkFilter(text, fields);
    return undefined;
  } catch (error) {
    if (error instanceof FilterError) return mistakeOf(text, error);
    throw error;
  }
}

function tooLong(maxCharacters: number): FilterError {
  return new FilterError(`it may have at most ${maxCharacters} characters.`, maxCharacters);
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
