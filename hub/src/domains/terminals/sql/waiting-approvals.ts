import { type RawBuilder, sql } from 'kysely';
import { amounts } from '../../../limits/amounts.ts';
import { ownsAsMember } from './rights.ts';

/** SQL of the terminals of a project, as `name` and `at`, that somebody else asks for and that a person, by raw ids, may approve now. */
export function waitingForApprovalBy(userId: string, projectId: string, now: Date): RawBuilder<unknown> {
  const askedSince = new Date(now.getTime() - amounts.terminalApproval.max * 60_000);
  return sql`
    select coalesce(t.device_name, 'd_' || t.device_id) as name, t.opened_at as at from terminal_sessions t
    where t.project_id = ${projectId} and t.state = 'Waiting' and t.ended_at is null and t.opened_at > ${askedSince}
      and t.opener_id <> ${userId} and ${ownsAsMember(projectId, userId)}`;
}
