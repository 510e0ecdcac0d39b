import { asSearch, searchText } from './search-values.ts';

/** The search parameters of a list: the filter text and the sort, e.g. "-createdAt". */
export type TableSearch = { q?: string; sort?: string };

/** Parses the search parameters of a list, as the `validateSearch` of its route. The table ignores a sort by a column that it has not. */
export function parseTableSearch(search: Record<string, unknown>): TableSearch {
  return asSearch({ q: searchText(search['q']), sort: searchText(search['sort']) });
}
