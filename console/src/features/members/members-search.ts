import { asSearch, searchText } from '../../parts/search-values.ts';
import { parseTableSearch, type TableSearch } from '../../parts/table-search.ts';

/** The name of the list of pending invitations in the URL, below that of the members. */
export const invitationsList = 'invitations';

/** Above this many rows the members, and the pending invitations, have a filter. */
export const manyRows = 20;

/** The search parameters of the page of members: those of the members, and those of the pending invitations. */
export type MembersSearch = TableSearch & { invitationsQ?: string; invitationsSort?: string };

/** Parses them, as the `validateSearch` of a route. */
export function parseMembersSearch(search: Record<string, unknown>): MembersSearch {
  return {
    ...parseTableSearch(search),
    ...asSearch({
      invitationsQ: searchText(search['invitationsQ']),
      invitationsSort: searchText(search['invitationsSort']),
    }),
  };
}
