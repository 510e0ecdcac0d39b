import { type Id, timelineKinds } from '@corral/contract';
import { asSearch, searchChoice, searchText } from '../../../../parts/search-values.ts';

/** The search parameters of the tabs of a device: how far back the strip of connections reaches, the open tab, one kind of entries, and the time that they begin before. */
export type TimelineSearch = {
  span?: '30d';
  tab?: 'timeline' | 'operations' | 'terminal';
  kind?: (typeof timelineKinds)[number];
  at?: string;
  /** The operation of the device that is open. */
  operation?: Id<'deviceOperation'>;
  /** The terminal that is open. */
  session?: Id<'terminal'>;
};

/** Parses the search parameters of the timeline; invalid values are dropped. */
export function parseTimelineSearch(search: Record<string, unknown>): TimelineSearch {
  const at = searchText(search['at']);
  return asSearch({
    span: searchChoice(search['span'], ['30d'] as const),
    tab: searchChoice(search['tab'], ['timeline', 'operations', 'terminal'] as const),
    kind: searchChoice(search['kind'], timelineKinds),
    operation: searchText(search['operation']) as Id<'deviceOperation'> | undefined,
    session: searchText(search['session']) as Id<'terminal'> | undefined,
    at: at === undefined || Number.isNaN(Date.parse(at)) ? undefined : at,
  });
}

/** The time that entries are older than, so that one at the time itself is the first. */
export function beforeOf(at: string | undefined): string | undefined {
  return at === undefined ? undefined : new Date(Date.parse(at) + 1000).toISOString();
}
