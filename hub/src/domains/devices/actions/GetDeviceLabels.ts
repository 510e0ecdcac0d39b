import type { Handler } from '../../../calls/handler.ts';
import { mustSeeProject, type ProjectAccess } from '../../projects/index.ts';
import { readLabelValues } from '../sql/label-names.ts';

/** Returns which labels the devices of a project have, as far as a sample of them tells. */
export const GetDeviceLabels: Handler<'projects_GetDeviceLabels', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeProject(tx, actor, input.projectId),

  async run({ tx }, { projectId }) {
    return { labels: await readLabelValues(tx, projectId) };
  },
};
