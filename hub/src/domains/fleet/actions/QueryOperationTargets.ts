import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { filteredScope, readPage } from '../../../platform/db/paging/read-page.ts';
import { readDeviceFilter } from '../../devices/index.ts';
import { mustSeeFleetOperation, type ProjectAccess } from '../../projects/index.ts';
import { readTargets, targetOrder, toTarget } from '../sql/targets.ts';

/** Lists the devices of an operation, each with its newest attempt. */
export const QueryOperationTargets: Handler<'fleet_QueryOperationTargets', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeFleetOperation(tx, actor, input.fleetOperationId),

  async run({ tx, db, input, now }, { projectId }) {
    const operationId = ids.fleetOperation.raw(input.fleetOperationId);
    const { status, filter } = input;
    const devices = await readDeviceFilter(tx, filter, { projectId, now, db });
    const { items, more } = await readPage(targetOrder(input.order), input, {
      scope: filteredScope(
        operationId,
        status === undefined && filter === undefined ? undefined : `${status?.join()} ${filter}`,
      ),
      read: (slice) => readTargets(tx, { operationId, status, passes: devices?.inSets, now }, slice),
      toItem: toTarget,
    });
    return { targets: items, ...more };
  },
};
