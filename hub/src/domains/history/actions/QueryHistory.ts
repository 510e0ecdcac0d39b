import type { Handler } from '../../../calls/handler.ts';
import { mustSeeProject, type ProjectAccess } from '../../projects/index.ts';
import { frameOf, readHistory } from '../sql/read-history.ts';

/** Returns the connected devices and the events of a project over time. */
export const QueryHistory: Handler<'projects_QueryHistory', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeProject(tx, actor, input.projectId),

  async run({ tx, input, now }, { projectId: subject }) {
    const { steps } = await readHistory(tx, { kind: 'Project', subject }, frameOf(input.range, now));
    return steps;
  },
};
