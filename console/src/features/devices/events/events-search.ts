import type { DeviceEventSeverity } from '@corral/contract';
import type { Range } from '../../../parts/history/chart-range.ts';
import { asSearch, searchChoice, searchText } from '../../../parts/search-values.ts';
import { severities } from '../device/severities.ts';

/** The search parameters of the events of a project: the filter text, one severity, and the time of the bars above the list. */
export type ProjectEventsSearch = {
  q?: string;
  severity?: DeviceEventSeverity;
  range?: Exclude<Range, '24h'>;
};

/** Parses the search parameters; invalid values are dropped. */
export function parseProjectEventsSearch(search: Record<string, unknown>): ProjectEventsSearch {
  return asSearch({
    q: searchText(search['q']),
    severity: searchChoice(search['severity'], severities),
    range: searchChoice(search['range'], ['7d', '30d']),
  });
}
