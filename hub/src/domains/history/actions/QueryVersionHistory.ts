import type { Handler } from '../../../calls/handler.ts';
import { mustSeeProject, type ProjectAccess } from '../../projects/index.ts';
import { readVersionHistory } from '../sql/read-versions.ts';

/** Returns which versions the devices of a project reported over time. */
export const QueryVersionHistory: Handler<'projects_QueryVersionHistory', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeProject(tx, actor, input.projectId),

  run: ({ tx, input: { range }, now }, { projectId }) => readVersionHistory(tx, { projectId, range, now }),
};
