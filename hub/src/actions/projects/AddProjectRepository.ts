import { ActionError } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../executor/handler.ts';
import { mustLink } from '../../policy/project-links.ts';
import type { ProjectLink } from '../../store/project-links.ts';
import { lockScope } from '../../store/shared-scope.ts';

const maxLinks = 1000;

/**
 * Links a repository to a project, whose members and devices may then read it. Any member of the project may, who also owns the repository or
 * links a public one: reading a private repository, or writing it, is not enough to share it. A link that exists stays.
 */
export const AddProjectRepository: Handler<'projects_AddProjectRepository', ProjectLink> = {
  authorize: ({ tx, actor, input }) => mustLink(tx, actor, input),

  async run({ tx, input, now, emit }, { projectId, repositoryId }) {
    // A statement of its own, so that the count sees what was linked while this one waited.
    await lockScope(tx, { kind: 'project', id: projectId });
    const { rows } = await sql<{ isLinked: boolean; isAdded: boolean }>`
      with present as (
        select count(*), coalesce(bool_or(repository_id = ${repositoryId}), false) as is_linked
        from project_repositories where project_id = ${projectId}
      ),
      added as (
        insert into project_repositories (project_id, repository_id, linked_at)
        select ${projectId}, ${repositoryId}, ${now} from present where count < ${maxLinks}
        on conflict do nothing returning 1
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
