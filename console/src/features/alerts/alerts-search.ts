import type { Id } from '@corral/contract';
import { alertSeverities, type AlertSeverity } from '../../parts/alerts/alerts.ts';
import { asSearch, searchChoice, searchText } from '../../parts/search-values.ts';
import { parseTableSearch, type TableSearch } from '../../parts/table-search.ts';

/** The tabs of the page of alerts beside the first, which shows what fires. */
export const alertTabs = ['history', 'rules', 'muted'] as const;

/** The states of alerts that have not ended, in the order in which they are offered. */
export const openStates = ['Firing', 'Acknowledged', 'Pending'] as const;

/** The search parameters of the page of alerts. */
export type AlertsSearch = TableSearch & {
  tab?: (typeof alertTabs)[number];
  state?: (typeof openStates)[number];
  severity?: AlertSeverity;
  rule?: Id<'alertRule'>;
  device?: Id<'device'>;
  /** A day of UTC on which alerts fired, as 2026-11-20. */
  day?: string;
};

const isDay = (text: string | undefined): boolean =>
  text !== undefined && /^\d{4}-\d\d-\d\d$/u.test(text) && !Number.isNaN(Date.parse(text));

/** Parses the search parameters of the page of alerts; invalid values are dropped. */
export function parseAlertsSearch(search: Record<string, unknown>): AlertsSearch {
  const day = searchText(search['day']);
  return asSearch({
    ...parseTableSearch(search),
    tab: searchChoice(search['tab'], alertTabs),
    state: searchChoice(search['state'], openStates),
    severity: searchChoice(search['severity'], alertSeverities),
    rule: searchText(search['rule']) as Id<'alertRule'> | undefined,
    device: searchText(search['device']) as Id<'device'> | undefined,
    day: isDay(day) ? day : undefined,
  });
}
