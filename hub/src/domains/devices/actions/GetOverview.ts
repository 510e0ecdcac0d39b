import type { Handler, HandlerContext } from '../../../calls/handler.ts';
import { limitConcurrency } from '../../../platform/db/limit-concurrency.ts';
import { mustSeeProject, type ProjectAccess } from '../../projects/index.ts';
import { readFleet } from '../sql/overview/fleet.ts';
import { readLabelNames, usualLabel } from '../sql/label-names.ts';
import { readNeeds } from '../sql/overview/needs.ts';
import { readVersions } from '../sql/overview/versions.ts';

/** Of a large fleet each holds four connections to the database for a fifth of a second; a person with many tabs must leave some to others. */
const readAtOnce = 2;

interface Wanted {
  readonly context: HandlerContext<'projects_GetOverview'>;
  /** The raw id. */
  readonly projectId: string;
}

const readOverview = limitConcurrency(
  readAtOnce,
  async (db, { context: { tx, actor, now, input }, projectId }: Wanted) => {
    const { groupBy = usualLabel } = input;
    // At the same time, on connections of their own: one after the other they take longer than a person wants to wait.
    const [fleet, needs, versions, labels] = await Promise.all([
      readFleet(tx, { projectId, groupBy, now }),
      readNeeds(tx, { projectId, actor, now }),
      readVersions(tx, { projectId, db, now }),
      readLabelNames(tx, projectId),
    ]);
    return { at: now.toISOString(), groupBy, ...fleet, needs, versions, labels };
  },
);

/** Returns how the fleet of a project is now. */
export const GetOverview: Handler<'projects_GetOverview', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeProject(tx, actor, input.projectId),

  run: (context, { projectId }) => readOverview(context.db, { context, projectId }),
};
