import { asSearch, searchChoice } from '../../../parts/search-values.ts';
import { parseTableSearch, type TableSearch } from '../../../parts/table-search.ts';

/** Which users are shown. */
export const userKinds = ['all', 'administrators', 'disabled'] as const;
/** See `userKinds`. */
export type UserKind = (typeof userKinds)[number];

/** The search parameters of the list of users. */
export type UsersSearch = TableSearch & { show?: Exclude<UserKind, 'all'> };

/** Parses the search parameters; invalid values are dropped. */
export function parseUsersSearch(search: Record<string, unknown>): UsersSearch {
  const show = searchChoice(search['show'], ['administrators', 'disabled'] as const);
  return asSearch({ ...parseTableSearch(search), show });
}
