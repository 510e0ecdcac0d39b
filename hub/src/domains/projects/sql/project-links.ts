import { setImmediate as nextTurn } from 'node:timers/promises';
import { ids, type Json } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { scopeNames, type Scope } from '../../members/index.ts';

/** A link of a repository to a project, by raw ids. */
export interface ProjectLink {
  readonly projectId: string;
  readonly repositoryId: string;
}

/** Whether the repository is linked to the project. */
export async function isLinked(tx: Database, { projectId, repositoryId }: ProjectLink): Promise<boolean> {
  const row = await tx
    .selectFrom('project_repositories')
    .select('project_id')
    .where('project_id', '=', projectId)
    .where('repository_id', '=', repositoryId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Ends all links of projects or of repositories, by raw ids, and returns them: for those about to be deleted, since their rows are locked. */
export async function endLinksOf(
  tx: Database,
  kind: Scope['kind'],
  rawIds: readonly string[],
): Promise<ProjectLink[]> {
  const { table, key } = scopeNames[kind];
  const some = sql`${key} = any(${[...rawIds]})`;
  // First, because whoever adds a link meanwhile waits for this lock and then finds nothing to link.
  await sql`select 1 from ${table} where ${some} order by ${key} for update`.execute(tx);
  const { rows } = await sql<ProjectLink>`
    delete from project_repositories where ${some}
    returning project_id as "projectId", repository_id as "repositoryId"`.execute(tx);
  return rows;
}

/** Ends the links of a repository, by its raw id, that none of its owners made or confirmed, and returns them. */
export async function endUnconfirmedLinks(tx: Database, repositoryId: string): Promise<ProjectLink[]> {
  const { rows } = await sql<ProjectLink>`
    delete from project_repositories where repository_id = ${repositoryId} and not is_confirmed
    returning project_id as "projectId", repository_id as "repositoryId"`.execute(tx);
  return rows;
}

/** How many links end in a turn of the event loop: a public repository may be linked to any number of projects. */
const linksAtOnce = 1000;

/** Emits that links have ended, with what the log says besides. */
export async function announceEndedLinks(
  links: readonly ProjectLink[],
  emit: (name: 'projects_RepositoryRemoved', data: Readonly<Record<string, Json>>) => unknown,
  more: Readonly<Record<string, Json>> = {},
): Promise<void> {
  for (const [index, { projectId, repositoryId }] of links.entries()) {
    if (index % linksAtOnce === linksAtOnce - 1) await nextTurn();
    emit('projects_RepositoryRemoved', {
      projectId: ids.project.of(projectId),
      repositoryId: ids.repository.of(repositoryId),
      ...more,
    });
  }
}
