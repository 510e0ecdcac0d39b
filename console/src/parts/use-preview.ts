import { type ActionName, type CallInput, parseExactJson } from '@corral/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { actionQuery } from '../data/action-query.ts';
import { everyMinute } from '../data/intervals.ts';
import { useDebounced } from './use-debounced.ts';

/** How long nobody typed before a preview is read. */
const delayMs = 300;

/** What a query says of what a form describes; nothing where `input` is undefined, because the form cannot be read. `isCurrent`: it is about what the form says now. */
export function usePreview<Name extends ActionName>(name: Name, input: CallInput<Name> | undefined) {
  const wanted = JSON.stringify(input);
  const asked = useDebounced(wanted, delayMs);
  const { data, error, isPlaceholderData } = useQuery({
    ...actionQuery(name, parseExactJson(asked ?? '{}') as CallInput<Name>, everyMinute),
    enabled: asked !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
  });
  return {
    preview: input === undefined ? undefined : data,
    error: input === undefined ? null : error,
    isCurrent: asked === wanted && !isPlaceholderData,
  };
}
