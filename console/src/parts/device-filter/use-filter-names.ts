import type { Id } from '@corral/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useDebounced } from '../use-debounced.ts';
import { filterFieldsQuery, maxFilterNames } from './queries.ts';

const none: ReadonlySet<string> = new Set();

/**
 * The names of properties and metadata that a filter of the devices of a project may use, for completion; none while `filter` is
 * undefined or the hub cannot be reached. If a project has more than one read returns, also those that begin with the last word.
 */
export function useFilterNames(projectId: Id<'project'>, filter: string | undefined): ReadonlySet<string> {
  const isWanted = filter !== undefined;
  const { data: first } = useQuery({ ...filterFieldsQuery(projectId), enabled: isWanted });
  const isCut = first !== undefined && first.names.length >= maxFilterNames;
  const prefix = useDebounced(lastWord(filter ?? ''));
  const { data: begun } = useQuery({
    ...filterFieldsQuery(projectId, prefix),
    placeholderData: keepPreviousData,
    enabled: isWanted && isCut && prefix !== '',
  });
  return useMemo(() => {
    if (first === undefined) return none;
    return new Set([...(begun?.names ?? []), ...first.names]);
  }, [first, begun]);
}

const maxPrefix = 200;

function lastWord(filter: string): string {
  return (/[^\s"():=!<>,-][^\s"():=!<>,]*$/u.exec(filter)?.[0] ?? '').slice(0, maxPrefix);
}
