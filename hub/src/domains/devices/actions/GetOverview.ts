import type { Handler } from '../../../calls/handler.ts';
import { mustSeeProject, type ProjectAccess } from '../../projects/index.ts';
import { readFleet } from '../sql/overview-fleet.ts';
import { readLabelNames, usualLabel } from '../sql/label-names.ts';
import { readNeeds } from '../sql/overview-needs.ts';
import { readVersions } from '../sql/overview-versions.ts';

/** Returns how the fleet of a project is now. */
export const GetOverview: Handler<'projects_GetOverview', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeProject(tx, actor, input.projectId),

  async run({ tx, db, actor, input: { groupBy = usualLabel }, now }, { projectId }) {
    return {
      at: now.toISOString(),
      groupBy,
      ...(await readFleet(tx, { projectId, groupBy, now })),
      needs: await readNeeds(tx, { projectId, actor, now }),
      versions: await readVersions(tx, { projectId, db, now }),
      labels: await readLabelNames(tx, projectId),
    };
  },
};
