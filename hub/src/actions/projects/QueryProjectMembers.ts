import type { Handler } from '../../executor/handler.ts';
import { mustSeeProject, type ProjectAccess } from '../../policy/projects.ts';
import { readMembers } from '../../store/member-pages.ts';

/** Lists the members of a project, owners first, then by e-mail address. */
export const QueryProjectMembers: Handler<'projects_QueryProjectMembers', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeProject(tx, actor, input.projectId),

  async run({ tx, input }, { projectId }) {
    const { items, more } = await readMembers(tx, { kind: 'project', id: projectId }, input);
    return { users: items, ...more };
  },
};
