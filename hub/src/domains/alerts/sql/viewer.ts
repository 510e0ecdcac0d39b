import { sql, type RawBuilder } from 'kysely';
import { isAmong } from '../../members/index.ts';
import type { ProjectViewer } from '../../projects/index.ts';

/** The condition on the rules `r` that somebody sees: those of the own projects; undefined for administrators, who see all. */
export function seenBy({ memberId, projectIds }: ProjectViewer): RawBuilder<boolean> | undefined {
  if (memberId === undefined) return undefined;
  return sql<boolean>`r.project_id in (
    select m.project_id from project_members m where m.user_id = ${memberId} and ${isAmong(sql`m.project_id`, projectIds)})`;
}
