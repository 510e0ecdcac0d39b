import { searchChoice, searchText, asSearch } from '../../parts/search-values.ts';

/** The time ranges of the log. */
export const logRanges = ['1h', '24h', '7d', '30d'] as const;
/** See `logRanges`. */
export type LogRange = (typeof logRanges)[number];

/** The search parameters of a log: filter by text, type, actor and time range, and the open entry. */
export type LogSearch = {
  q?: string;
  type?: string;
  actor?: string;
  range?: LogRange;
  entry?: string;
  /** The command whose events are shown. */
  action?: string;
};

/** Parses the search parameters of a log; invalid values are dropped. */
export function parseLogSearch(search: Record<string, unknown>): LogSearch {
  return asSearch({
    q: searchText(search['q']),
    type: searchText(search['type']),
    actor: searchText(search['actor']),
    range: searchChoice(search['range'], logRanges),
    entry: searchText(search['entry']),
    action: commandId(search['action']),
  });
}

function commandId(value: unknown): string | undefined {
  const text = searchText(value);
  return text !== undefined && /^audit_act_\d{8}-\d{4}-\w{8}$/u.test(text) ? text : undefined;
}
