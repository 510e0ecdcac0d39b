import type { AuditLogActionStatus } from '@corral/contract';
import { asSearch, searchChoice } from '../../../parts/search-values.ts';
import { type LogSearch, parseLogSearch } from '../log-search.ts';

/** The outcomes of commands, in the order in which they are offered. */
export const actionStatuses = [
  'Pending',
  'Succeeded',
  'Failed',
  'Rejected',
  'Panicked',
] as const satisfies readonly AuditLogActionStatus[];

/** The search parameters of the commands: those of a log, and the outcome. */
export type ActionsSearch = Omit<LogSearch, 'action'> & { status?: AuditLogActionStatus };

/** Parses the search parameters of the commands; invalid values are dropped. */
export function parseActionsSearch(search: Record<string, unknown>): ActionsSearch {
  const { action: _action, ...shared } = parseLogSearch(search);
  return asSearch({ ...shared, status: searchChoice(search['status'], actionStatuses) });
}
