import { asSearch, searchChoice } from '../../../parts/search-values.ts';
import { type ChangeResult, resultStatuses } from './changes.ts';

/** The search parameters of a change: the results that are shown. */
export type ChangeSearch = { status?: ChangeResult['status'] };

/** Parses the search parameters of a change; invalid values are dropped. */
export function parseChangeSearch(search: Record<string, unknown>): ChangeSearch {
  return asSearch({ status: searchChoice(search['status'], resultStatuses) });
}
