import { ActionError } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../../calls/handler.ts';
import { storedChange } from '../../devices/index.ts';
import { mustBeOwner, mustSeeProject, type ProjectAccess } from '../../projects/index.ts';
import { mustDeleteWithProof } from '../../users/index.ts';
import { startChange } from '../policy/start-change.ts';
import { changedSelection, changeHash, selectForChange } from '../sql/change-selection.ts';
import { createChange, needsOwnerFor } from '../sql/changes.ts';
import { needsOwner } from '../sql/locks.ts';

/** Begins a change of the devices that its preview has shown; all nodes go on with it. */
export const ApplyChange: Handler<'fleet_ApplyChange', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeProject(tx, actor, input.projectId),

  async run(context, { projectId, isOwner }) {
    const { tx, db, input, actor, now, emit } = context;
    const change = storedChange(input.change);
    const matched = await selectForChange(tx, input, change, { projectId, now, db });
    const devices = sql`
      select m.device_id, m.name, m.given, null::jsonb as expected, false as is_reported
      from (${matched}) as m where m.reason is null`;
    const created = await createChange(tx, { projectId, change, actor, now }, devices, changeHash(change));
    const { changeId, total } = created;
    if (created.counted !== input.previewHash) throw changedSelection(input.previewHash, total);
    if (total === 0)
      throw new ActionError('Invalid', 'There is no device that this would change. The preview says why.');
    if (change.kind === 'RotateCertificates') mustBeOwner({ projectId, isOwner });
    else if (!isOwner && needsOwnerFor(change, total)) throw await needsOwner(tx, projectId);
    if (change.kind === 'Delete') await mustDeleteWithProof(context, total);
    return startChange(emit, { changeId, projectId, change, undoes: null, total });
  },
};
