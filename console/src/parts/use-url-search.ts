import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { omitUndefined } from './search-values.ts';

/** New values of search parameters; undefined removes one. */
export type SearchChange<Search extends object> = { [Key in keyof Search]?: Search[Key] | undefined };

/** The search parameters of the current route, and a stable function that changes some of them in place. */
export function useUrlSearch<Search extends object>(): [Search, (change: SearchChange<Search>) => void] {
  const search: unknown = useSearch({ strict: false });
  const navigate = useNavigate();
  const write = useCallback(
    (change: SearchChange<Search>) =>
      void navigate({
        to: '.',
        search: (former: object) => omitUndefined({ ...former, ...change }),
        replace: true,
        resetScroll: false,
      } as never),
    [navigate],
  );
  return [search as Search, write];
}
