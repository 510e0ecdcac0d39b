import type { Handler } from '../../../calls/handler.ts';
import { mustSeeProject, type ProjectAccess } from '../../projects/index.ts';
import { readMembers } from '../sql/member-pages.ts';

/** Lists the members of a project, owners first, then by e-mail address. */
export const QueryProjectMembers: Handler<'projects_QueryProjectMembers', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeProject(tx, actor, input.projectId),

  async run({ tx, input }, { projectId }) {
    const { items, more } = await readMembers(tx, { kind: 'project', id: projectId }, input);
    return { users: items, ...more };
  },
};
