import type { AuditLogEvent } from '@corral/contract';
import type { LogRange, LogSearch } from './log-search.ts';

const hourMs = 3_600_000;
const rangeMs: Readonly<Record<LogRange, number>> = {
  '1h': hourMs,
  '24h': 24 * hourMs,
  '7d': 7 * 24 * hourMs,
  '30d': 30 * 24 * hourMs,
};

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
