import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { mustSeeFleetOperation, type ProjectAccess } from '../../projects/index.ts';
import { selectForDraft } from '../sql/draft-selection.ts';
import { readAny, wrongStatus } from '../sql/locks.ts';
import { readPreview } from '../sql/preview.ts';
import { readStarters } from '../sql/starters.ts';
import { readUndoChanges } from '../sql/undo.ts';

/** Says what a draft would do now. It counts as a search, since it reads all devices that the filter finds. */
export const PreviewDraft: Handler<'fleet_PreviewDraft', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeFleetOperation(tx, actor, input.fleetOperationId),

  async run({ tx, db, input, actor, now }, { projectId, isOwner }) {
    const operation = await readAny(tx, ids.fleetOperation.raw(input.fleetOperationId));
    if (operation.status !== 'Draft') throw wrongStatus(operation);
    const { plan, undone, ...eligibility } = await selectForDraft(tx, operation, { projectId, now, db });
    const { definition, deliverWithinSecs, intervalSecs } = operation;
    const given = {
      ...definition,
      stages: [...definition.stages],
      deliverWithinSecs,
      ...(intervalSecs === null ? {} : { enrollmentIntervalSecs: intervalSecs }),
    };
    const seen = await readPreview(tx, given, plan, eligibility, now);
    const changes =
      undone === undefined ? seen.changes : await readUndoChanges(tx, undone, eligibility.matched);
    const preview = { ...seen, changes };
    return { ...preview, ...(await readStarters(tx, { projectId, isOwner, actor }, preview, given, plan)) };
  },
};
