import type { CallInput, Id } from '@corral/contract';
import { actionQuery } from '../../data/action-query.ts';
import { everyMinute } from '../../data/intervals.ts';
import { type LogRange, startOf } from './log-search.ts';

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

/** A page of the commands of the instance, newest first. */
export const actionsQuery = (filter: ActionFilter, page: { limit: number; before?: Id<'auditAction'> }) =>
  actionQuery('audit_QueryAuditLogActions', { ...filter, ...page }, everyMinute);

/** The numbers of commands without success. */
export const actionCountsQuery = () => actionQuery('audit_CountAuditLogActions', {}, everyMinute);

/** The start of a range as the hub takes it; undefined without a range. */
export function sinceOf(range: LogRange | undefined): string | undefined {
  return range === undefined ? undefined : new Date(startOf(range, Date.now())).toISOString();
}
