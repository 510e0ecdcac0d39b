import type { Output } from '@corral/contract';
import { formatDate } from '../../../../ui/time/format-time.ts';

/** What happened to a device. */
export type TimelineEntry = Output<'devices_QueryTimeline'>['entries'][number];

/** Equal entries in a row, newest first, on one day. */
export interface TimelineRow {
  readonly entries: readonly [TimelineEntry, ...TimelineEntry[]];
  /** The day, where the row is the first of it. */
  readonly day: string | undefined;
  /** Whether the device was connected after it and before it; undefined where the entries do not tell. */
  readonly isConnectedAfter: boolean | undefined;
  readonly isConnectedBefore: boolean | undefined;
}

/** Folds equal entries in a row, and notes where days begin and whether the device was connected. */
export function timelineRows(entries: readonly TimelineEntry[]): TimelineRow[] {
  const runs: [TimelineEntry, ...TimelineEntry[]][] = [];
  for (const entry of entries) {
    const last = runs.at(-1);
    if (last !== undefined && sameness(last[0]) === sameness(entry)) last.push(entry);
    else runs.push([entry]);
  }
  // From the oldest on: a connection that begins or ends tells what follows.
  let isConnected: boolean | undefined;
  const rows: TimelineRow[] = [];
  for (const run of runs.toReversed()) {
    const isConnectedBefore = endOf(run[0]) ? true : startOf(run[0]) ? false : isConnected;
    isConnected = endOf(run[0]) ? false : startOf(run[0]) ? true : isConnected;
    rows.push({ entries: run, day: undefined, isConnectedBefore, isConnectedAfter: isConnected });
  }
  let day = '';
  return rows.toReversed().map((row) => {
    const own = formatDate(Date.parse(row.entries[0].at));
    const isFirst = own !== day;
    day = own;
    return isFirst ? { ...row, day: own } : row;
  });
}

const startOf = ({ entryId }: TimelineEntry): boolean => entryId.startsWith('Connected ');
const endOf = ({ entryId }: TimelineEntry): boolean => entryId.startsWith('Ended ');

/** Entries with the same text are equal, whatever numbers are in it; those of connections, certificates and people never are. */
function sameness(entry: TimelineEntry): string {
  const { entryId, kind, title, at, data } = entry;
  const day = formatDate(Date.parse(at));
  if (kind === 'Event') return `${day} ${severityOf(entry)} ${title.replaceAll(/\d+/gu, '0')}`;
  if (kind === 'Property' && entry.actor === undefined) return `${day} ${(data as { name?: string }).name}`;
  return entryId;
}

/** The severity of an event. */
export function severityOf({ data }: TimelineEntry): string {
  return (data as { severity?: string }).severity ?? 'Info';
}
