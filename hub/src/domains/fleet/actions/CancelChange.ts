import { ActionError, ids } from '@corral/contract';
import { sql } from 'kysely';
import { notFound } from '../../../auth/actors.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustSeeFleetJob } from '../../projects/index.ts';
import { changeData, readChange } from '../sql/changes.ts';

/** Ends a change after the devices that are being changed just now. */
export const CancelChange: Handler<'fleet_CancelChange'> = {
  authorize: ({ tx, actor, input }) => mustSeeFleetJob(tx, actor, input.jobId),

  async run({ tx, input, now, emit }) {
    const changeId = ids.fleetJob.raw(input.jobId);
    const stored = await readChange(tx, changeId, sql`for no key update`);
    if (stored === undefined) throw notFound('Change');
    if (stored.completedAt !== null) throw new ActionError('Invalid', 'The change has ended.');
    const { numAffectedRows: left = 0n } = await sql`
      update fleet_change_devices set status = 'Failed', reason = 'The change was cancelled before.'
      where change_id = ${changeId} and status = 'Pending'`.execute(tx);
    const failed = stored.failed + Number(left);
    await sql`
      update fleet_changes set completed_at = ${now}, failed = ${failed} where change_id = ${changeId}`.execute(
      tx,
    );
    emit('fleet_ChangeFinished', { ...changeData(stored), done: stored.done, failed, isCancelled: true });
    return {};
  },
};
