import { ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../../calls/handler.ts';
import { listOrder, sortKey } from '../../../platform/db/paging/list-order.ts';
import { readPage } from '../../../platform/db/paging/read-page.ts';
import { mustSeeFleetOperation } from '../../projects/index.ts';

interface Row {
  readonly device_id: string;
  readonly error: string;
  readonly updated_at: string;
}

const byDevice = listOrder<Row>('fleet_QueryOperationSelectionErrors', 'asc', [sortKey('device_id', 'text')]);

/** Lists the devices that could not be selected, with the reason of each. */
export const QueryOperationSelectionErrors: Handler<'fleet_QueryOperationSelectionErrors'> = {
  authorize: ({ tx, actor, input }) => mustSeeFleetOperation(tx, actor, input.fleetOperationId),

  async run({ tx, input }) {
    const operationId = ids.fleetOperation.raw(input.fleetOperationId);
    const { items, more } = await readPage(byDevice, input, {
      scope: operationId,
      async read(slice) {
        const { rows } = await sql<Row>`
          select device_id, error, updated_at from fleet_selection_errors
          where fleet_operation_id = ${operationId} and ${slice.follows} ${slice.orderAndLimit}`.execute(tx);
        return rows;
      },
      toItem: (row) => ({
        deviceId: ids.device.of(row.device_id),
        error: row.error,
        updatedAt: row.updated_at,
      }),
    });
    return { errors: items, ...more };
  },
};
