import type { AuditLogActionStatus, CallInput, Id, Output } from '@corral/contract';
import { actionPageQuery, actionQuery } from '../../data/action-query.ts';
import { everyMinute } from '../../data/intervals.ts';
import type { LogSearchPage } from '../../data/queries-projects.ts';
import { startOf } from './log-filter.ts';
import type { LogRange } from './log-search.ts';
import { hubNow } from '../../data/hub-clock.ts';

/** Which events of the instance are read; the hub filters. */
export type EventFilter = Pick<
  CallInput<'audit_QueryAuditLogEvents'>,
  'event' | 'actor' | 'since' | 'actionId'
>;

/** Which commands of the instance are read; the hub filters. */
export type ActionFilter = Pick<
  CallInput<'audit_QueryAuditLogActions'>,
  'action' | 'actor' | 'since' | 'status'
>;

/** A page of the log of the instance, newest first. */
export const instanceLogQuery = (filter: EventFilter, page: { limit: number; before?: Id<'auditEvent'> }) =>
  actionQuery('audit_QueryAuditLogEvents', { ...filter, ...page }, everyMinute);

/** A page of the entries of the log of the instance that also pass a typed filter, newest first. */
export const instanceLogSearchQuery = (filter: EventFilter, page: LogSearchPage) =>
  actionPageQuery('audit_QueryAuditLogEvents', { ...filter, ...page }, everyMinute);

/** A page of the commands of the instance, newest first. It is read more often while one of the last minutes runs, whose end is no event. */
export const actionsQuery = (filter: ActionFilter, page: { limit: number; before?: Id<'auditAction'> }) => ({
  ...actionQuery('audit_QueryAuditLogActions', { ...filter, ...page }, everyMinute),
  refetchInterval: ({ state }: { state: { data?: Output<'audit_QueryAuditLogActions'> | undefined } }) =>
    state.data?.actions.some(isRunning) === true ? runningIntervalMs : everyMinute.refetchInterval,
});

/** A page of the commands of the instance that also pass a typed filter, newest first. */
export const actionsSearchQuery = (filter: ActionFilter, page: LogSearchPage) =>
  actionPageQuery('audit_QueryAuditLogActions', { ...filter, ...page }, everyMinute);

const runningIntervalMs = 2_000;
/** A command that is pending for longer has lost its node, and does not end. */
const longestRunMs = 5 * 60_000;

function isRunning({ status, createdAt }: { status: AuditLogActionStatus; createdAt: string }): boolean {
  return status === 'Pending' && hubNow() - Date.parse(createdAt) < longestRunMs;
}

/** The numbers of commands without success. */
export const actionCountsQuery = () => actionQuery('audit_CountAuditLogActions', {}, everyMinute);

/** The start of a range as the hub takes it; undefined without a range. */
export function sinceOf(range: LogRange | undefined): string | undefined {
  return range === undefined ? undefined : new Date(startOf(range, hubNow())).toISOString();
}
