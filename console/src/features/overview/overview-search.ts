import { asSearch, searchChoice, searchText } from '../../parts/search-values.ts';

/** The times that the charts can show; a day unless chosen. */
export const ranges = ['24h', '7d', '30d'] as const;
/** See `ranges`. */
export type Range = (typeof ranges)[number];

/** The search parameters of the overview: the time of its charts, and the key of the metadata by which devices are grouped. */
export type OverviewSearch = { range?: Exclude<Range, '24h'>; by?: string };

/** Parses the search parameters of the overview; invalid values are dropped. */
export function parseOverviewSearch(search: Record<string, unknown>): OverviewSearch {
  return asSearch({ range: searchChoice(search['range'], ['7d', '30d']), by: searchText(search['by']) });
}

/** The range as the hub names it. */
export const hubRange = { '24h': 'Day', '7d': 'Week', '30d': 'Month' } as const;
