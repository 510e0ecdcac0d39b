import { asSearch, searchChoice } from '../../../parts/search-values.ts';
import type { ChangeResult } from './changes.ts';

/** How devices of a change stand. */
export const resultStatuses = ['Failed', 'Done', 'Pending'] as const;

/** The search parameters of a change: the results that are shown. */
export type ChangeSearch = { status?: ChangeResult['status'] };

/** Parses the search parameters of a change; invalid values are dropped. */
export function parseChangeSearch(search: Record<string, unknown>): ChangeSearch {
  return asSearch({ status: searchChoice(search['status'], resultStatuses) });
}
