import type { Range } from '../../parts/history/chart-range.ts';
import { asSearch, searchChoice, searchText } from '../../parts/search-values.ts';

/** The search parameters of the overview: the time of its charts, and the key of the metadata by which devices are grouped. */
export type OverviewSearch = { range?: Exclude<Range, '24h'>; by?: string };

/** Parses the search parameters of the overview; invalid values are dropped. */
export function parseOverviewSearch(search: Record<string, unknown>): OverviewSearch {
  return asSearch({ range: searchChoice(search['range'], ['7d', '30d']), by: searchText(search['by']) });
}
