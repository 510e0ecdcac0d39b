import type { DeviceEventSeverity } from '@corral/contract';
import { asSearch, searchChoice, searchText } from '../../../parts/search-values.ts';
import { severities } from './severities.ts';

/** The search parameters of the events of a device: the filter text and one severity. */
export type EventsSearch = { events?: string; severity?: DeviceEventSeverity };

/** Parses the search parameters of the events; invalid values are dropped. */
export function parseEventsSearch(search: Record<string, unknown>): EventsSearch {
  return asSearch({
    events: searchText(search['events']),
    severity: searchChoice(search['severity'], severities),
  });
}

/** The filter that the hub applies, of a text without mistakes and a severity; undefined for all events. */
export function eventFilterOf(text: string, severity: DeviceEventSeverity | undefined): string | undefined {
  const typed = text.trim();
  if (severity === undefined) return typed === '' ? undefined : typed;
  return typed === '' ? `severity:${severity}` : `severity:${severity} (${typed})`;
}
