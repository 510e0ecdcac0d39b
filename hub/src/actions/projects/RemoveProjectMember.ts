import { ActionError, ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../executor/handler.ts';
import { forbidden, notFound } from '../../policy/actors.ts';
import { mustSeeProject, type ProjectAccess } from '../../policy/projects.ts';

/** Removes a member: owners may remove anyone, members themselves. The last owner stays, also under concurrent calls. */
export const RemoveProjectMember: Handler<'projects_RemoveProjectMember', ProjectAccess> = {
  async authorize({ tx, actor, input }) {
    const access = await mustSeeProject(tx, actor, input.projectId);
    const isSelf = 'userId' in actor && actor.userId === input.userId;
    if (!access.isOwner && !isSelf) throw forbidden('Only an owner of the project may do this.');
    return access;
  },

  async run({ tx, input, emit }, { projectId }) {
    const userId = ids.user.raw(input.userId);
    const { rows } = await sql<{ user_id: string; is_owner: boolean }>`
      select user_id, is_owner from project_members
      where project_id = ${projectId} and (is_owner or user_id = ${userId}) order by user_id for update`.execute(
      tx,
    );
    const member = rows.find((row) => row.user_id === userId);
    if (member === undefined) throw notFound('Member');
    if (member.is_owner && rows.filter((row) => row.is_owner).length === 1)
      throw new ActionError('Invalid', 'The last owner of a project cannot be removed.');
    await tx
      .deleteFrom('project_members')
      .where('project_id', '=', projectId)
      .where('user_id', '=', userId)
      .execute();
    emit('projects_MemberRemoved', { projectId: input.projectId, userId: input.userId });
    return {};
  },
};
