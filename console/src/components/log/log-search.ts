import type { AuditLogEvent } from '@corral/contract';
import { searchChoice, searchText, asSearch } from '../search-values.ts';

/** How far back the log shows. */
export const logRanges = ['1h', '24h', '7d', '30d'] as const;
/** See `logRanges`. */
export type LogRange = (typeof logRanges)[number];

const hourMs = 3_600_000;
const rangeMs: Readonly<Record<LogRange, number>> = {
  '1h': hourMs,
  '24h': 24 * hourMs,
  '7d': 7 * 24 * hourMs,
  '30d': 30 * 24 * hourMs,
};

/** What the URL says about a log: text, type and actor to filter by, how far back, and the entry that is open. */
export type LogSearch = { q?: string; type?: string; actor?: string; range?: LogRange; entry?: string };

/** Reads the search part of a log's URL; what is not understood falls back. */
export function parseLogSearch(search: Record<string, unknown>): LogSearch {
  return asSearch({
    q: searchText(search['q']),
    type: searchText(search['type']),
    actor: searchText(search['actor']),
    range: searchChoice(search['range'], logRanges),
    entry: searchText(search['entry']),
  });
}

/** The beginning of a range, in milliseconds since the epoch; minus infinity for all. */
export function startOf(range: LogRange | undefined, nowMs: number): number {
  return range === undefined ? Number.NEGATIVE_INFINITY : nowMs - rangeMs[range];
}

/** What an actor is filtered by: its kind, and its own id where it has one. */
export function actorKey(actor: AuditLogEvent['actor']): string {
  switch (actor.kind) {
    case 'User':
      return `User:${actor.userId}`;
    case 'UserToken':
      return `UserToken:${actor.tokenId}`;
    case 'ClusterNode':
      return `ClusterNode:${actor.nodeId}`;
    case 'Device':
      return `Device:${actor.deviceId}`;
    default:
      return actor.kind;
  }
}

/** Whether an entry is one of those that the URL asks for; the text is left to the table. */
export function isWanted(entry: AuditLogEvent, { type, actor, range }: LogSearch, nowMs: number): boolean {
  return (
    (type === undefined || entry.event === type) &&
    (actor === undefined || actorKey(entry.actor) === actor) &&
    Date.parse(entry.createdAt) >= startOf(range, nowMs)
  );
}
