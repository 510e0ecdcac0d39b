import { asSearch, searchChoice } from '../../../parts/search-values.ts';
import { parseTableSearch, type TableSearch } from '../../../parts/table-search.ts';

/** The states of rotations, in the order in which they are offered. */
export const rotationStates = [
  'Open',
  'Announced',
  'Arrived',
  'RolledBack',
  'Expired',
  'Completed',
  'Cancelled',
] as const;

/** The search parameters of the rotations: those in one state. */
export type RotationSearch = TableSearch & { state?: (typeof rotationStates)[number] };

/** Parses the search parameters of the rotations; invalid values are dropped. */
export function parseRotationSearch(search: Record<string, unknown>): RotationSearch {
  return asSearch({ ...parseTableSearch(search), state: searchChoice(search['state'], rotationStates) });
}
