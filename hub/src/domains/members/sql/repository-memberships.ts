import { sql, type RawBuilder } from 'kysely';
import { isAmong } from './member-lists.ts';

/** SQL of why a user sees repositories, with columns `repository_id`, `is_owner` and `is_member`. */
interface RepositoryMemberships {
  /** All of the user. */
  readonly all: RawBuilder<unknown>;
  /** That of the statement's `repositories r`, if any. */
  readonly ofRow: RawBuilder<unknown>;
}

/** Which repositories, and those linked to which projects, are meant; undefined for all. */
interface Bounds {
  readonly projectIds: readonly string[] | undefined;
  readonly repositoryIds: readonly string[] | undefined;
}

/** The memberships of a user by raw id, and on request the links to projects of the user, within the bounds of a token. */
export function repositoryMemberships(
  userId: string,
  includesLinked: boolean,
  { projectIds, repositoryIds }: Bounds,
): RepositoryMemberships {
  const own = sql`
    select repository_id, is_owner, true as is_member from repository_members where user_id = ${userId}
    and ${isAmong(sql`repository_id`, repositoryIds)}`;
  const ownOfRow = sql`${own} and repository_id = r.repository_id`;
  if (!includesLinked) return { all: own, ofRow: ownOfRow };
  const linked = sql`
    select l.repository_id, false, false from project_repositories l join project_members pm using (project_id)
    where pm.user_id = ${userId} and ${isAmong(sql`l.project_id`, projectIds)}
      and ${isAmong(sql`l.repository_id`, repositoryIds)}`;
  return {
    all: sql`
      select * from (${own}) as own union all
      select distinct on (l.repository_id) l.* from (${linked}) as l(repository_id, is_owner, is_member)
      where not exists (
        select 1 from repository_members where user_id = ${userId} and repository_id = l.repository_id)`,
    ofRow: sql`
      select * from (
        ${ownOfRow} union all (${linked} and l.repository_id = r.repository_id)
      ) as m order by is_member desc limit 1`,
  };
}
