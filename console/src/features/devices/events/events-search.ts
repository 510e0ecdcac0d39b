import type { DeviceEventSeverity } from '@corral/contract';
import { asSearch, searchChoice, searchText } from '../../../parts/search-values.ts';
import { severities } from '../device/severities.ts';

/** The search parameters of the events of a project: the filter text and one severity. */
export type ProjectEventsSearch = { q?: string; severity?: DeviceEventSeverity };

/** Parses the search parameters; invalid values are dropped. */
export function parseProjectEventsSearch(search: Record<string, unknown>): ProjectEventsSearch {
  return asSearch({ q: searchText(search['q']), severity: searchChoice(search['severity'], severities) });
}
