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
    // At the same time, on connections of their own: one after the other they take longer than a person wants to wait.
    const silence = readFleet(tx, { projectId, groupBy, now });
    const [{ shown }, needs, versions, labels] = await Promise.all([
      silence,
      readNeeds(tx, { projectId, actor, now, silence }),
      readVersions(tx, { projectId, db, now }),
      readLabelNames(tx, projectId),
    ]);
    return {
      at: now.toISOString(),
      groupBy,
      ...shown,
      needs,
      versions,
      labels,
    };
  },
};
