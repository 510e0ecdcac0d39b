import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { notFound } from '../../../auth/actors.ts';
import { mustBeSteppedUp } from '../../../auth/stepped-up.ts';
import { mustOwnProject, type ProjectAccess } from '../policy/projects.ts';
import { deleteProjects } from '../sql/project-deletion.ts';
import { inviteesOf } from '../../members/index.ts';

/** Deletes a project with everything in it; gateways close the connections on the event, and the members of linked repositories see the links end. */
export const DeleteProject: Handler<'projects_DeleteProject', ProjectAccess> = {
  async authorize(context) {
    const access = await mustOwnProject(context.tx, context.actor, context.input.projectId);
    mustBeSteppedUp(context);
    return access;
  },

  async run({ tx, input, emit }, { projectId }) {
    const invitees = await inviteesOf(tx, 'project', [projectId]);
    const { projects, links } = await deleteProjects(tx, [projectId]);
    const [deleted] = projects;
    if (deleted === undefined) throw notFound('Project');
    for (const { repositoryId } of links)
      emit('projects_RepositoryRemoved', {
        projectId: input.projectId,
        repositoryId: ids.repository.of(repositoryId),
        name: deleted.name,
      });
    emit('projects_Deleted', { projectId: input.projectId, name: deleted.name });
    for (const userId of invitees) emit('users_InvitationsChanged', { userId: ids.user.of(userId) });
    return {};
  },
};
