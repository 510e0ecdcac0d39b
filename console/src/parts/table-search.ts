import { asSearch, searchText } from './search-values.ts';

/** The search parameters of a list: the filter text and the sort, e.g. "-createdAt". */
export type TableSearch = { q?: string; sort?: string };

/** The same of a further list of a page, whose name they begin with, e.g. "invitationsSort". */
export type FurtherTableSearch<List extends string> = { [Key in `${List}Q` | `${List}Sort`]?: string };

/** The names of the search parameters of a list; the first list of a page has no name. */
export function tableParameters(list: string | undefined): { readonly q: string; readonly sort: string } {
  return list === undefined ? { q: 'q', sort: 'sort' } : { q: `${list}Q`, sort: `${list}Sort` };
}

/** Parses the search parameters of a list, as the `validateSearch` of its route. The table ignores a sort by a column that it has not. */
export function parseTableSearch(search: Record<string, unknown>): TableSearch {
  return asSearch({ q: searchText(search['q']), sort: searchText(search['sort']) });
}

/** Parses those of a further list of the page. */
export function parseFurtherTableSearch<List extends string>(
  list: List,
  search: Record<string, unknown>,
): FurtherTableSearch<List> {
  const { q, sort } = tableParameters(list);
  return { [q]: searchText(search[q]), [sort]: searchText(search[sort]) } as FurtherTableSearch<List>;
}
