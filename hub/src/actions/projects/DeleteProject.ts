import { ids } from '@corral/contract';
import type { Handler } from '../../executor/handler.ts';
import { notFound } from '../../policy/actors.ts';
import { mustOwnProject, type ProjectAccess } from '../../policy/projects.ts';
import { allowLongDelete } from '../../store/long-deletes.ts';
import { inviteesOf } from '../../store/received-invitations.ts';

/** Deletes a project with everything in it; gateways close the connections on the event. */
export const DeleteProject: Handler<'projects_DeleteProject', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustOwnProject(tx, actor, input.projectId),

  async run({ tx, input, emit }, { projectId }) {
    await allowLongDelete(tx);
    const invitees = await inviteesOf(tx, 'project', [projectId]);
    const deleted = await tx
      .deleteFrom('projects')
      .where('project_id', '=', projectId)
      .returning('name')
      .executeTakeFirst();
    if (deleted === undefined) throw notFound('Project');
    emit('projects_Deleted', { projectId: input.projectId, name: deleted.name });
    for (const userId of invitees) emit('users_InvitationsChanged', { userId: ids.user.of(userId) });
    return {};
  },
};
