import { ActionError } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import type { Handler } from '../../../calls/handler.ts';
import { notFound } from '../../../auth/actors.ts';
import { mustLink, type WantedLink } from '../policy/project-links.ts';
import { lockScope } from '../../members/index.ts';

const maxLinks = 1000;

/**
 * Links a repository to a project, whose members and devices may then read it. Any member of the project may, who also owns the repository or
 * links a public one: reading a private repository, or writing it, is not enough to share it. A link that exists stays; an owner of the repository confirms it.
 */
export const AddProjectRepository: Handler<'projects_AddProjectRepository', WantedLink> = {
  authorize: ({ tx, actor, input }) => mustLink(tx, actor, input),

  async run({ tx, input, now, emit }, { projectId, repositoryId, isByOwner }) {
    // A statement of its own, so that the count sees what was linked while this one waited.
    await lockScope(tx, { kind: 'project', id: projectId });
    await mustStayShareable(tx, repositoryId, isByOwner);
    const { rows } = await sql<{ isLinked: boolean; isAdded: boolean }>`
      with present as (
        select count(*), coalesce(bool_or(repository_id = ${repositoryId}), false) as is_linked
        from project_repositories where project_id = ${projectId}
      ),
      added as (
        insert into project_repositories as known (project_id, repository_id, linked_at, is_confirmed)
        select ${projectId}, ${repositoryId}, ${now}, ${isByOwner} from present where count < ${maxLinks} or is_linked
        on conflict (project_id, repository_id) do update set is_confirmed = true
          where excluded.is_confirmed and not known.is_confirmed
        returning 1
      )
      select is_linked as "isLinked", exists (select 1 from added) as "isAdded" from present`.execute(tx);
    const [{ isLinked, isAdded } = { isLinked: false, isAdded: false }] = rows;
    if (!isLinked && !isAdded)
      throw new ActionError('Invalid', `A project may be linked to at most ${maxLinks} repositories.`);
    if (isAdded)
      emit('projects_RepositoryAdded', { projectId: input.projectId, repositoryId: input.repositoryId });
    return {};
  },
};

/** Locks the repository, so that a link by somebody else than its owners cannot be added while it becomes private. */
async function mustStayShareable(tx: Database, repositoryId: string, isByOwner: boolean): Promise<void> {
  const { rows } = await sql`
    select 1 from repositories where repository_id = ${repositoryId} and (visibility = 'Public' or ${isByOwner})
    for share`.execute(tx);
  if (rows.length === 0) throw notFound('Repository');
}
