import { ids } from '@corral/contract';
import { notFound } from '../../../auth/actors.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustSeeProject, type ProjectAccess } from '../../projects/index.ts';
import { usualLabel } from '../sql/label-names.ts';
import { findDot } from '../sql/overview/fleet.ts';

/** Returns the device of a dot of the overview. */
export const FindOverviewDevice: Handler<'projects_FindOverviewDevice', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeProject(tx, actor, input.projectId),

  async run({ tx, input: { groupBy = usualLabel, index }, now }, { projectId }) {
    const dot = await findDot(tx, { projectId, groupBy, now }, index);
    if (dot === undefined) throw notFound('Device');
    return {
      deviceId: ids.device.of(dot.deviceId),
      ...(dot.name === null ? {} : { name: dot.name }),
      ...(dot.hostname === null ? {} : { hostname: dot.hostname }),
      state: dot.state,
      ...(dot.since === null ? {} : { since: dot.since }),
    };
  },
};
