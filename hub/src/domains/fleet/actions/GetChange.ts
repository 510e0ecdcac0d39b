import { ids } from '@corral/contract';
import { notFound } from '../../../auth/actors.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustSeeFleetJob } from '../../projects/index.ts';
import { isUndoable, readChange } from '../sql/changes.ts';

/** Returns a change with its progress. */
export const GetChange: Handler<'fleet_GetChange'> = {
  authorize: ({ tx, actor, input }) => mustSeeFleetJob(tx, actor, input.jobId),

  async run({ tx, input: { jobId } }) {
    const found = await readChange(tx, ids.fleetJob.raw(jobId));
    if (found === undefined) throw notFound('Change');
    const { change, undoes, total, done, failed, createdBy, createdAt, completedAt } = found;
    return {
      jobId,
      projectId: ids.project.of(found.projectId),
      change,
      ...(undoes === null ? {} : { undoes: ids.fleetJob.of(undoes) }),
      total,
      done,
      failed,
      createdBy,
      createdAt,
      undoable: isUndoable(change) && done > 0,
      ...(completedAt === null ? {} : { completedAt }),
    };
  },
};
