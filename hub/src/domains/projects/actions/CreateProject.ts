import { ids } from '@corral/contract';
import { newRawId } from '../../../auth/random.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustBeAllowedOwner, mustBeAbleToOwnMore } from '../../members/index.ts';
import { mustBeName } from '../../../auth/names.ts';

/** Creates a project; only administrators may name another owner. */
export const CreateProject: Handler<'projects_CreateProject', string> = {
  authorize: ({ tx, actor, input }) => mustBeAllowedOwner(tx, actor, input),

  async run({ tx, input, now, emit }, ownerId) {
    const name = mustBeName(input.name, 'name');
    await mustBeAbleToOwnMore(tx, ownerId);
    const rawId = newRawId();
    await tx.insertInto('all_projects').values({ project_id: rawId }).execute();
    await tx.insertInto('projects').values({ project_id: rawId, name, created_at: now }).execute();
    await tx
      .insertInto('project_members')
      .values({ project_id: rawId, user_id: ownerId, is_owner: true, added_at: now })
      .execute();
    const projectId = ids.project.of(rawId);
    emit('projects_Created', { projectId, name });
    emit('projects_MemberAdded', { projectId, userId: ids.user.of(ownerId), isOwner: true });
    return { result: 'Created', projectId };
  },
};
