import type { AuditLogEvent } from '@corral/contract';
import { searchChoice, searchText, asSearch } from '../../parts/search-values.ts';

/** The time ranges of the log. */
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

/** The start of a range, in milliseconds since the epoch; minus infinity without a range. */
export function startOf(range: LogRange | undefined, nowMs: number): number {
  return range === undefined ? Number.NEGATIVE_INFINITY : nowMs - rangeMs[range];
}

/** The filter by type, actor and range that the hub applies to the log of a project or a repository; undefined for all entries. */
export function logFilterOf({
  type,
  actor,
  range,
}: { [Key in 'type' | 'actor' | 'range']?: LogSearch[Key] | undefined }): string | undefined {
  const conditions = [
    ...(type === undefined ? [] : [`event:${quoted(type)}`]),
    ...(actor === undefined ? [] : [`actor:${quoted(actor)}`]),
    ...(range === undefined ? [] : [`created>=${range}`]),
  ];
  return conditions.length === 0 ? undefined : conditions.join(' ');
}

/** The filter that is sent for a typed one, beside that of type, actor and range. */
export function withTyped(filter: string | undefined, typed: string): string {
  return filter === undefined ? typed : `${filter} (${typed})`;
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/gu, '\\$&')}"`;
}

/** The filter key of an actor: its kind, and its id if it has one. */
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

/** Whether an entry matches type, actor and range; the table filters by text. */
export function matchesSearch(
  entry: AuditLogEvent,
  { type, actor, range, action }: LogSearch,
  nowMs: number,
): boolean {
  return (
    (type === undefined || entry.event === type) &&
    (actor === undefined || actorKey(entry.actor) === actor) &&
    (action === undefined || entry.action?.actionId === action) &&
    Date.parse(entry.createdAt) >= startOf(range, nowMs)
  );
}
