import { ids } from '@corral/contract';
import type { Handler } from '../../executor/handler.ts';
import { mustSeeProject, type ProjectAccess } from '../../policy/projects.ts';

/** Lists the members of a project, owners first, then by e-mail address. */
export const QueryProjectMembers: Handler<'projects_QueryProjectMembers', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeProject(tx, actor, input.projectId),

  async run({ tx }, { projectId }) {
    const rows = await tx
      .selectFrom('project_members as m')
      .innerJoin('users as u', 'u.user_id', 'm.user_id')
      .where('m.project_id', '=', projectId)
      .select(['u.user_id', 'u.display_name', 'u.email', 'm.is_owner'])
      .orderBy('m.is_owner', 'desc')
      .orderBy('u.email')
      .execute();
    const users = rows.map((row) => ({
      userId: ids.user.of(row.user_id),
      ...(row.display_name === null ? {} : { displayName: row.display_name }),
      email: row.email,
      isOwner: row.is_owner,
    }));
    return { users };
  },
};
