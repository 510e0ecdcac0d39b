import { ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import type { Handler } from '../../../calls/handler.ts';
import { findProjectViewer, type ProjectViewer } from '../../projects/index.ts';
import { isAmong, readForMember } from '../../members/index.ts';
import { listOrder, sortKey, type Slice } from '../../../platform/db/paging/list-order.ts';
import { readPage } from '../../../platform/db/paging/read-page.ts';

interface Row {
  readonly device_id: string;
  readonly project_id: string;
  readonly created_at: string;
}

const newestFirst = listOrder<Row>('devices_QueryDevices', 'desc', [
  sortKey('created_at', 'timestamptz', sql`d.created_at`),
  sortKey('device_id', 'text', sql`d.device_id`),
]);

/** Lists the devices of all projects that the caller may see, newest first. */
export const QueryDevices: Handler<'devices_QueryDevices', ProjectViewer> = {
  authorize: ({ tx, actor }) => findProjectViewer(tx, actor),

  async run({ tx, input }, viewer) {
    const { items, more } = await readPage(newestFirst, input, {
      read: (slice) => readDevices(tx, viewer, slice),
      toItem: (row) => ({
        deviceId: ids.device.of(row.device_id),
        projectId: ids.project.of(row.project_id),
      }),
    });
    return { devices: items, ...more };
  },
};

async function readDevices(
  tx: Database,
  { memberId, projectIds }: ProjectViewer,
  slice: Slice,
): Promise<Row[]> {
  const columns = sql`d.device_id, d.project_id, d.created_at`;
  if (memberId === undefined) {
    const all = sql<Row>`select ${columns} from devices d where ${slice.follows} ${slice.orderAndLimit}`;
    return (await all.execute(tx)).rows;
  }
  return readForMember<Row>(tx, memberId, slice, {
    table: 'devices',
    alias: 'd',
    columns,
    projectIds,
    readByMembership: () => readByProject(tx, memberId, projectIds, slice),
  });
}

/** Reads the newest devices of each project of a member by index, and takes the newest of these. */
async function readByProject(
  tx: Database,
  memberId: string,
  projectIds: readonly string[] | undefined,
  slice: Slice,
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select d.device_id, d.project_id, d.created_at from project_members m cross join lateral (
      select d.device_id, d.project_id, d.created_at from devices d
      where d.project_id = m.project_id and ${slice.follows} ${slice.orderAndLimit}
    ) as d
    where m.user_id = ${memberId} and ${isAmong(sql`m.project_id`, projectIds)} ${slice.orderAndLimit}`.execute(
    tx,
  );
  return rows;
}
