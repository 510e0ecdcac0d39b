import type { Handler } from '../../../calls/handler.ts';
import { mustSeeProject, type ProjectAccess } from '../../projects/index.ts';
import { countDevices } from '../sql/filters/count-devices.ts';

/** Counts the devices of a project that a filter finds. */
export const CountProjectDevices: Handler<'projects_CountProjectDevices', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeProject(tx, actor, input.projectId),

  run: ({ tx, db, input, now }, { projectId }) => countDevices(tx, input.filter, { projectId, now, db }),
};
