import { ids, type Json, type Output } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../../calls/handler.ts';
import { listOrder, sortKey } from '../../../platform/db/paging/list-order.ts';
import { filteredScope, readPage } from '../../../platform/db/paging/read-page.ts';
import { mustSeeFleetJob } from '../../projects/index.ts';
import { beforeAndAfter } from '../sql/change-preview.ts';

type Result = Output<'fleet_QueryChangeResults'>['results'][number];

interface Row {
  readonly device_id: string;
  readonly name: string | null;
  readonly before: Json;
  readonly after: Json;
  readonly status: Result['status'];
  readonly reason: string | null;
}

const byDevice = listOrder<Row>('fleet_QueryChangeResults', 'asc', [sortKey('device_id', 'text')]);

/** Lists the devices of a change, each with its result. */
export const QueryChangeResults: Handler<'fleet_QueryChangeResults'> = {
  authorize: ({ tx, actor, input }) => mustSeeFleetJob(tx, actor, input.jobId),

  async run({ tx, input }) {
    const changeId = ids.fleetJob.raw(input.jobId);
    const { status } = input;
    const { items, more } = await readPage(byDevice, input, {
      scope: filteredScope(changeId, status),
      async read(slice) {
        const isIn = status === undefined ? sql`true` : sql`status = ${status}`;
        const { rows } = await sql<Row>`
          select device_id, name, before, status, reason, case when jsonb_typeof(given) = 'array' then to_jsonb(0) else given end as after
          from fleet_change_devices where change_id = ${changeId} and ${isIn} and ${slice.follows} ${slice.orderAndLimit}`.execute(
          tx,
        );
        return rows;
      },
      toItem: ({ device_id, status: stands, reason, ...rest }) => ({
        deviceId: ids.device.of(device_id),
        ...beforeAndAfter(rest),
        status: stands,
        ...(reason === null ? {} : { reason }),
      }),
    });
    return { results: items, ...more };
  },
};
