import { ids, type Id } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';

/** A person in a session, by raw id, or the hub itself. */
interface Principal {
  readonly userId: string | null;
  readonly isSystem: boolean;
}

/** SQL for whether a person, by raw id, owns the project or repository of the service account `s`, or is an administrator, or the hub itself acts. */
function owns({ userId, isSystem }: Principal): RawBuilder<boolean> {
  return sql<boolean>`(${isSystem}
    or exists (select 1 from project_members m where m.project_id = s.service_project_id and m.user_id = ${userId} and m.is_owner)
    or exists (select 1 from repository_members m
      where m.repository_id = s.service_repository_id and m.user_id = ${userId} and m.is_owner)
    or exists (select 1 from users a where a.user_id = ${userId} and a.is_admin and a.disabled_at is null))`;
}

/** SQL for whether a user is a service account that a person may manage. */
export function isManagedBy(principal: Principal, account: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from users s where s.user_id = ${account} and s.is_service and ${owns(principal)})`;
}

/** Who gets the e-mails about the tokens of a user, by raw ids: the user, of a service account the owners of its project or repository. */
export async function tokenRecipients(tx: Database, userId: string): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select user_id from users where user_id = ${userId} and not is_service
    union select m.user_id from users s join project_members m on m.project_id = s.service_project_id and m.is_owner where s.user_id = ${userId}
    union select m.user_id from users s join repository_members m on m.repository_id = s.service_repository_id and m.is_owner where s.user_id = ${userId}`.execute(
    tx,
  );
  return rows.map((row) => row.user_id);
}

/** What the events about a token or a service account name besides: the project or the repository of a service account. */
export async function homeOf(
  tx: Database,
  userId: string,
): Promise<{ projectId?: Id<'project'>; repositoryId?: Id<'repository'> }> {
  const row = await tx
    .selectFrom('users')
    .select(['service_project_id', 'service_repository_id'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (row === undefined) return {};
  return homeOfRow(row);
}

/** The same of a row of `users`. */
export function homeOfRow(row: {
  readonly service_project_id: string | null;
  readonly service_repository_id: string | null;
}): { projectId?: Id<'project'>; repositoryId?: Id<'repository'> } {
  return {
    ...(row.service_project_id === null ? {} : { projectId: ids.project.of(row.service_project_id) }),
    ...(row.service_repository_id === null
      ? {}
      : { repositoryId: ids.repository.of(row.service_repository_id) }),
  };
}
