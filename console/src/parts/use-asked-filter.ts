import type { FilterFields } from '@corral/contract';
import { useMemo, useState } from 'react';
import type { FilterMistake } from '../ui/table/MistakeInFilter.tsx';
import { mistakeIn } from './filter-mistake.ts';

/** The filter that the hub is asked for: while the typed one has a mistake, the last one that had none. Without fields any text is right. */
export function useAskedFilter(
  typed: string,
  fields: FilterFields | undefined,
): { readonly asked: string; readonly mistake: FilterMistake | undefined } {
  const mistake = useMemo(
    () => (fields === undefined ? undefined : mistakeIn(typed, fields)),
    [typed, fields],
  );
  const [last, setLast] = useState('');
  if (mistake === undefined && typed !== last) setLast(typed);
  return { asked: mistake === undefined ? typed : last, mistake };
}
