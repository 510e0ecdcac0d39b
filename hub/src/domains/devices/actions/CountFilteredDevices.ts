import { FilterError } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { mustSeeProject, type ProjectAccess } from '../../projects/index.ts';
import { countDevices } from '../sql/filters/count-devices.ts';

/** Counts the devices of a project that each of several filters finds, one after the other: together they have one turn of a search. */
export const CountFilteredDevices: Handler<'projects_CountFilteredDevices', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeProject(tx, actor, input.projectId),

  async run({ tx, db, input, now }, { projectId }) {
    const counts: { count?: number; isAll?: boolean }[] = [];
    for (const filter of input.filters)
      counts.push(
        await countDevices(tx, filter, { projectId, now, db }).catch((error: unknown) => {
          // A property that no device has any more is a mistake; the other filters are counted.
          if (error instanceof FilterError) return {};
          throw error;
        }),
      );
    return { counts };
  },
};
