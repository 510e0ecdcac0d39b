import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';

/** A project whose only owner is the user in question. */
export interface SolelyOwnedProject {
  /** The raw id. */
  readonly projectId: string;
  readonly name: string;
  readonly hasOtherMembers: boolean;
}

const ownedProjects = (userId: string) =>
  sql`(select project_id from project_members where user_id = ${userId} and is_owner)`;

/** Locks the projects that a user owns and their members until the transaction ends. */
export async function lockOwnedProjects(tx: Database, userId: string): Promise<void> {
  const owned = ownedProjects(userId);
  await sql`select 1 from projects where project_id in ${owned} order by project_id for update`.execute(tx);
  await sql`select 1 from project_members where project_id in ${owned} order by project_id, user_id for update`.execute(
    tx,
  );
}

/** The projects whose only owner is a user. */
export async function solelyOwnedProjects(tx: Database, userId: string): Promise<SolelyOwnedProject[]> {
  const { rows } = await sql<SolelyOwnedProject>`
    select p.project_id as "projectId", p.name,
      exists (select 1 from project_members o join users using (user_id) where o.project_id = p.project_id and o.user_id <> ${userId} and not is_service) as "hasOtherMembers"
    from projects p where p.project_id in ${ownedProjects(userId)} and not exists (select 1 from project_members o
      where o.project_id = p.project_id and o.user_id <> ${userId} and o.is_owner)
    order by p.project_id`.execute(tx);
  return rows;
}

/** A repository whose only owner is the user in question. */
export interface SolelyOwnedRepository {
  /** The raw id. */
  readonly repositoryId: string;
  readonly name: string;
  /** Whether it has other members, or is linked to projects that stay. */
  readonly isUsed: boolean;
}

const ownedRepositories = (userId: string) =>
  sql`(select repository_id from repository_members where user_id = ${userId} and is_owner)`;

/** Locks the repositories that a user owns and their members until the transaction ends. */
export async function lockOwnedRepositories(tx: Database, userId: string): Promise<void> {
  const owned = ownedRepositories(userId);
  await sql`select 1 from repositories where repository_id in ${owned} order by repository_id for update`.execute(
    tx,
  );
  await sql`select 1 from repository_members where repository_id in ${owned} order by repository_id, user_id for update`.execute(
    tx,
  );
}

/** The repositories whose only owner is a user. Links to the projects that are about to be deleted do not count as use. */
export async function solelyOwnedRepositories(
  tx: Database,
  userId: string,
  deletedProjectIds: readonly string[],
): Promise<SolelyOwnedRepository[]> {
  const others = sql`from repository_members o join users on users.user_id = o.user_id and not is_service where o.repository_id = r.repository_id and o.user_id <> ${userId}`;
  const { rows } = await sql<SolelyOwnedRepository>`
    select r.repository_id as "repositoryId", r.name, (exists (select 1 ${others})
      or exists (select 1 from project_repositories l 
        where l.repository_id = r.repository_id and l.project_id <> all(${[...deletedProjectIds]}))) as "isUsed"
    from repositories r where r.repository_id in ${ownedRepositories(userId)} and not exists (select 1 ${others} and o.is_owner)
    order by r.repository_id`.execute(tx);
  return rows;
}

/** Removes a user from every repository; returns the raw ids of the repositories. */
export async function leaveRepositories(tx: Database, userId: string): Promise<string[]> {
  const rows = await tx
    .deleteFrom('repository_members')
    .where('user_id', '=', userId)
    .returning('repository_id')
    .execute();
  return rows.map((row) => row.repository_id);
}

/** Removes a user from every project; returns the raw ids of the projects. */
export async function leaveProjects(tx: Database, userId: string): Promise<string[]> {
  const rows = await tx
    .deleteFrom('project_members')
    .where('user_id', '=', userId)
    .returning('project_id')
    .execute();
  return rows.map((row) => row.project_id);
}

/** Deletes every API token of a user; returns their raw ids and names. */
export function deleteTokens(
  tx: Database,
  userId: string,
): Promise<{ token_id: string; name: string | null }[]> {
  return tx.deleteFrom('user_tokens').where('user_id', '=', userId).returning(['token_id', 'name']).execute();
}
