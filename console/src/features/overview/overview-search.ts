import type { Range } from '../../parts/history/chart-range.ts';
import { asSearch, searchChoice, searchText } from '../../parts/search-values.ts';

/** The search parameters of the overview: the time of its charts, and the label by which devices are grouped, empty for none. */
export type OverviewSearch = { range?: Exclude<Range, '24h'>; by?: string };

/** Parses the search parameters of the overview; invalid values are dropped. */
export function parseOverviewSearch(search: Record<string, unknown>): OverviewSearch {
  const by = search['by'] === '' ? '' : searchText(search['by']);
  return asSearch({ range: searchChoice(search['range'], ['7d', '30d']), by });
}
