import type { FilterFields } from '@corral/contract';
import { useMemo, useState } from 'react';
import type { FilterMistake } from '../ui/table/MistakeInFilter.tsx';
import { excessOf, mistakeIn } from './filter-mistake.ts';

/**
 * The filter that the hub is asked for: while the typed one has a mistake, the last one that had none. Without fields any text is right. `sentOf` is what is sent of a text, whose
 * length counts: other filters of the page may be a part of it.
 */
export function useAskedFilter(
  typed: string,
  fields: FilterFields | undefined,
  sentOf: (text: string) => string,
): { readonly asked: string; readonly mistake: FilterMistake | undefined } {
  const excess = excessOf(sentOf(typed));
  const mistake = useMemo(
    () => (fields === undefined ? undefined : mistakeIn(typed, fields, excess)),
    [typed, fields, excess],
  );
  const [last, setLast] = useState('');
  if (mistake === undefined && typed !== last) setLast(typed);
  if (mistake === undefined) return { asked: typed, mistake };
  // With another filter of the page it may have become too long itself.
  return { asked: excessOf(sentOf(last)) === 0 ? last : '', mistake };
}
