import { ActionError, ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../executor/handler.ts';
import { notFound } from '../../policy/actors.ts';
import { mustOwnProject, type ProjectAccess } from '../../policy/projects.ts';

/** Makes an existing user a member; owners only. */
export const AddProjectMember: Handler<'projects_AddProjectMember', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustOwnProject(tx, actor, input.projectId),

  async run({ tx, input, now, emit }, { projectId }) {
    const isOwner = input.isOwner ?? false;
    const { rows } = await sql<{ isAdded: boolean }>`
      with known as (select user_id from users where user_id = ${ids.user.raw(input.userId)} for key share),
      added as (
        insert into project_members (project_id, user_id, is_owner, added_at)
        select ${projectId}, user_id, ${isOwner}, ${now} from known on conflict do nothing returning 1
      )
      select exists (select 1 from added) as "isAdded" from known`.execute(tx);
    if (rows[0] === undefined) throw notFound('User');
    if (!rows[0].isAdded) throw new ActionError('Invalid', 'The user is a member of this project already.');
    emit('projects_MemberAdded', { projectId: input.projectId, userId: input.userId, isOwner });
    return {};
  },
};
