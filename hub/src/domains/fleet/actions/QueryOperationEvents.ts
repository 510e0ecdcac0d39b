import { ids, type Actor, type Json } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../../calls/handler.ts';
import { listOrder, sortKey } from '../../../platform/db/paging/list-order.ts';
import { filteredScope, readPage } from '../../../platform/db/paging/read-page.ts';
import { mustSeeFleetOperation } from '../../projects/index.ts';

interface Row {
  readonly event_id: number;
  readonly at: string;
  readonly kind: string;
  readonly actor: Actor | null;
  readonly device_id: string | null;
  readonly data: Json;
}

const newestFirst = listOrder<Row>('fleet_QueryOperationEvents', 'desc', [sortKey('event_id', 'bigint')], {
  defaultRows: 200,
});

/** Lists what happened in an operation, newest first; of one device also the steps that it did. */
export const QueryOperationEvents: Handler<'fleet_QueryOperationEvents'> = {
  authorize: ({ tx, actor, input }) => mustSeeFleetOperation(tx, actor, input.fleetOperationId),

  async run({ tx, input }) {
    const operationId = ids.fleetOperation.raw(input.fleetOperationId);
    const deviceId = input.deviceId === undefined ? undefined : ids.device.raw(input.deviceId);
    const { ofOperation = false } = input;
    const ofDevice = deviceId === undefined ? sql`true` : sql`device_id = ${deviceId}`;
    // The device whose failure paused the operation is known of that event.
    const isOwn = ofOperation ? sql`(device_id is null or kind = 'Paused')` : sql`true`;
    const { items, more } = await readPage(newestFirst, input, {
      scope: filteredScope(operationId, `${deviceId ?? ''} ${ofOperation}`),
      async read(slice) {
        const { rows } = await sql<Row>`
          select event_id, at, kind, actor, device_id, data from operation_events
          where fleet_operation_id = ${operationId} and ${ofDevice} and ${isOwn} and ${slice.follows} ${slice.orderAndLimit}`.execute(
          tx,
        );
        return rows;
      },
      toItem: (row) => ({
        at: row.at,
        kind: row.kind,
        ...(row.actor === null ? {} : { actor: row.actor }),
        ...(row.device_id === null ? {} : { deviceId: ids.device.of(row.device_id) }),
        data: row.data,
      }),
    });
    return { events: items, ...more };
  },
};
