import { ids } from '@corral/contract';
import { forbidden, notFound } from '../../../auth/actors.ts';
import type { Handler } from '../../../calls/handler.ts';
import { isAdministrator } from '../../users/index.ts';
import { mustSeeProject, type ProjectAccess } from '../../projects/index.ts';
import { removeMember } from '../sql/memberships.ts';
import { appointOwner } from '../sql/appoint-owner.ts';

interface Removal extends ProjectAccess {
  readonly isSelf: boolean;
  /** Whether the new owner may be somebody who is no member yet. */
  readonly mayAdd: boolean;
}

/**
 * Removes a member: owners and administrators may remove anyone, members themselves. The last owner stays, also under concurrent calls, unless
 * the same call names another one.
 */
export const RemoveProjectMember: Handler<'projects_RemoveProjectMember', Removal> = {
  async authorize({ tx, actor, input }) {
    const access = await mustSeeProject(tx, actor, input.projectId);
    const isSelf = 'userId' in actor && actor.userId === input.userId;
    if (!access.isOwner && (!isSelf || input.newOwner !== undefined))
      throw forbidden('Only an owner of the project may do this.');
    const mayAdd = input.newOwner !== undefined && (await isAdministrator(tx, actor));
    return { ...access, isSelf, mayAdd };
  },

  async run({ tx, input, now, emit }, { projectId, isSelf, mayAdd }) {
    const scope = { kind: 'project', id: projectId } as const;
    const how = isSelf ? 'leave' : 'removed';
    if (input.newOwner !== undefined && input.newOwner !== input.userId)
      for (const [name, data] of await appointOwner(tx, scope, input.newOwner, now, mayAdd)) emit(name, data);
    const isRemoved = await removeMember(tx, scope, ids.user.raw(input.userId), how);
    if (!isRemoved) throw notFound('Member');
    emit('projects_MemberRemoved', { projectId: input.projectId, userId: input.userId });
    return {};
  },
};
