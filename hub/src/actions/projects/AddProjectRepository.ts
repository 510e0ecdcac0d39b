import { ActionError } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../executor/handler.ts';
import { mustSeeProject } from '../../policy/projects.ts';
import { mustShareRepository } from '../../policy/repositories.ts';
import { lockScope } from '../../store/shared-scope.ts';

const maxLinks = 1000;

/** By raw ids. */
interface Link {
  readonly projectId: string;
  readonly repositoryId: string;
}

/**
 * Links a repository to a project, whose members and devices may then read it. Any member of the project may, who is also a member of the repository
 * or links a public one: reading a private repository is not enough to share it.
 */
export const AddProjectRepository: Handler<'projects_AddProjectRepository', Link> = {
  async authorize({ tx, actor, input }) {
    const { projectId } = await mustSeeProject(tx, actor, input.projectId);
    const { repositoryId } = await mustShareRepository(tx, actor, input.repositoryId);
    return { projectId, repositoryId };
  },

  async run({ tx, input, now, emit }, { projectId, repositoryId }) {
    // A statement of its own, so that the count sees what was linked while this one waited.
    await lockScope(tx, { kind: 'project', id: projectId });
    const { rows } = await sql<{ isFull: boolean; isAdded: boolean }>`
      with present as (select count(*) from project_repositories where project_id = ${projectId}),
      added as (
        insert into project_repositories (project_id, repository_id, linked_at)
        select ${projectId}, ${repositoryId}, ${now} from present where count < ${maxLinks}
        on conflict do nothing returning 1
      )
      select count >= ${maxLinks} as "isFull", exists (select 1 from added) as "isAdded" from present`.execute(
      tx,
    );
    if (rows[0]?.isFull === true)
      throw new ActionError('Invalid', `A project may be linked to at most ${maxLinks} repositories.`);
    if (rows[0]?.isAdded === true)
      emit('projects_RepositoryAdded', { projectId: input.projectId, repositoryId: input.repositoryId });
    return {};
  },
};
