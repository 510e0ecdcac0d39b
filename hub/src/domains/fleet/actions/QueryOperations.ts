import type { Handler } from '../../../calls/handler.ts';
import { filteredScope, readPage } from '../../../platform/db/paging/read-page.ts';
import { mustSeeProject, type ProjectAccess } from '../../projects/index.ts';
import { operationsNewestFirst, readOperations, toSummary } from '../sql/fleet-operations.ts';

/** Lists the operations on the devices of a project, newest first. */
export const QueryOperations: Handler<'fleet_QueryOperations', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeProject(tx, actor, input.projectId),

  async run({ tx, input, now }, { projectId }) {
    const { items, more } = await readPage(operationsNewestFirst, input, {
      scope: filteredScope(projectId, input.status?.join()),
      read: (slice) => readOperations(tx, projectId, input.status, slice),
      toItem: (row) => toSummary(row, now),
    });
    return { operations: items, ...more };
  },
};
