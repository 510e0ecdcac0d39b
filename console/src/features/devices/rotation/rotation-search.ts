import { asSearch, searchChoice } from '../../../parts/search-values.ts';
import { parseTableSearch, type TableSearch } from '../../../parts/table-search.ts';

/** What rotations are listed by, in the order in which it is offered: `Unresolved` ones failed and were not tried again, the others are states. */
export const rotationStates = [
  'Unresolved',
  'Open',
  'Announced',
  'Arrived',
  'RolledBack',
  'Expired',
  'Completed',
  'Cancelled',
] as const;

/** The search parameters of the rotations: those in one state, or those that failed. */
export type RotationSearch = TableSearch & { state?: (typeof rotationStates)[number] };

/** Parses the search parameters of the rotations; invalid values are dropped. */
export function parseRotationSearch(search: Record<string, unknown>): RotationSearch {
  return asSearch({ ...parseTableSearch(search), state: searchChoice(search['state'], rotationStates) });
}
