import type { Handler } from '../../../calls/handler.ts';
import { storedChange } from '../../devices/index.ts';
import { mustSeeProject, type ProjectAccess } from '../../projects/index.ts';
import { readChangePreview } from '../sql/change-preview.ts';
import { selectForChange } from '../sql/change-selection.ts';

/** Says what a change of many devices would do now. It counts as a search, since it reads all devices that the filter finds. */
export const PreviewChange: Handler<'fleet_PreviewChange', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeProject(tx, actor, input.projectId),

  async run({ tx, db, input, now }, { projectId }) {
    const change = storedChange(input.change);
    const matched = await selectForChange(tx, input, change, { projectId, now, db });
    return readChangePreview(tx, change, matched);
  },
};
