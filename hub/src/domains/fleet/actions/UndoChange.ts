import { ActionError, ids } from '@corral/contract';
import { sql } from 'kysely';
import { notFound } from '../../../auth/actors.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustSeeFleetJob, type ProjectAccess } from '../../projects/index.ts';
import { startChange } from '../policy/start-change.ts';
import { createChange, isUndoable, readChange } from '../sql/changes.ts';

/** Begins a change that gives devices back what they had before another one, unless they have something else by now. */
export const UndoChange: Handler<'fleet_UndoChange', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeFleetJob(tx, actor, input.jobId),

  async run({ tx, input, actor, now, emit }, { projectId }) {
    const undoes = ids.fleetJob.raw(input.jobId);
    const undone = await readChange(tx, undoes, sql`for key share`);
    if (undone === undefined) throw notFound('Change');
    const { change, completedAt } = undone;
    if (!isUndoable(change)) throw new ActionError('Invalid', 'Only new names and labels can be taken back.');
    if (completedAt === null)
      throw new ActionError('Invalid', 'The change still goes on. Undo it when it has ended.');
    const devices = sql`
      select device_id, name, coalesce(before, 'null') as given, coalesce(given, 'null') as expected, was_reported as is_reported
      from fleet_change_devices where change_id = ${undoes} and status = 'Done'`;
    const { changeId, total } = await createChange(
      tx,
      { projectId, change, undoes, actor, now },
      devices,
      sql`null`,
    );
    if (total === 0)
      throw new ActionError('Invalid', 'The change has changed no device: there is nothing to undo.');
    return startChange(emit, { changeId, projectId, change, undoes, total });
  },
};
