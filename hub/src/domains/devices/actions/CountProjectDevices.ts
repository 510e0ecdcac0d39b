import type { Handler } from '../../../calls/handler.ts';
import { mustSeeProject, type ProjectAccess } from '../../projects/index.ts';
import { readDeviceFilter } from '../sql/filters/device-filter.ts';
import { countFilteredDevices } from '../sql/filtered-devices.ts';

const mostCounted = 10_000;

/** Counts the devices of a project that a filter finds. */
export const CountProjectDevices: Handler<'projects_CountProjectDevices', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeProject(tx, actor, input.projectId),

  async run({ tx, db, input, now }, { projectId }) {
    const filter = await readDeviceFilter(tx, input.filter, { projectId, now, db });
    const count = await countFilteredDevices(tx, { projectId, filter }, mostCounted + 1);
    return { count: Math.min(count, mostCounted), isAll: count <= mostCounted };
  },
};
