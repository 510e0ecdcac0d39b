import { ids } from '@corral/contract';
import { mustBeSteppedUp } from '../../../auth/stepped-up.ts';
import type { Handler } from '../../../calls/handler.ts';
import { notFound } from '../../../auth/actors.ts';
import { mustOwnProject, type ProjectAccess } from '../../projects/index.ts';
import { setRole } from '../sql/memberships.ts';

/** Makes a member an owner or not; the last owner stays one, also under concurrent calls. */
export const SetProjectMemberRole: Handler<'projects_SetProjectMemberRole', ProjectAccess> = {
  async authorize(context) {
    const { tx, actor, input } = context;
    const access = await mustOwnProject(tx, actor, input.projectId);
    if (input.isOwner) mustBeSteppedUp(context);
    return access;
  },

  async run({ tx, input, emit }, { projectId }) {
    const { userId, isOwner } = input;
    const scope = { kind: 'project', id: projectId } as const;
    const isChanged = await setRole(tx, scope, { userId: ids.user.raw(userId), isOwner });
    if (isChanged === undefined) throw notFound('Member');
    if (isChanged) emit('projects_MemberRoleChanged', { projectId: input.projectId, userId, isOwner });
    return {};
  },
};
