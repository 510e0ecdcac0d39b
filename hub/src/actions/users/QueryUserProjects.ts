import { ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../db/connect.ts';
import type { Handler } from '../../executor/handler.ts';
import { mustBeSelfOrAdministrator } from '../../policy/actors.ts';
import { listOrder, sortKey, type Slice } from '../../store/paging/list-order.ts';
import { readPage } from '../../store/paging/read-page.ts';
import { liveConnection } from '../../store/presence.ts';

interface Row {
  readonly project_id: string;
  readonly name: string;
  readonly lower_name: string;
  readonly is_owner: boolean;
  readonly devices: number;
  readonly connected: number;
  readonly pending: number;
}

const byName = listOrder<Row>('users_QueryUserProjects', 'asc', [
  sortKey('lower_name', 'text', sql`lower(p.name)`),
  sortKey('name', 'text', sql`p.name`),
  sortKey('project_id', 'text', sql`p.project_id`),
]);

/** Lists the projects that a user is a member of, with counts of their devices. */
export const QueryUserProjects: Handler<'users_QueryUserProjects'> = {
  authorize: ({ tx, actor, input }) => mustBeSelfOrAdministrator(tx, actor, input.userId),

  async run({ tx, input, now }) {
    const userId = ids.user.raw(input.userId);
    const { items, more } = await readPage(byName, input, {
      of: userId,
      read: (slice) => readProjects(tx, userId, slice, now),
      toItem: toOutput,
    });
    return { projects: items, ...more };
  },
};

/** Selects the slice first, so that only devices of its projects are counted. */
async function readProjects(tx: Database, userId: string, slice: Slice, now: Date): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select p.*, lower(p.name) as lower_name, counted.devices, counted.connected, counted.pending
    from (
      select p.project_id, p.name, m.is_owner from project_members m join projects p using (project_id)
      where m.user_id = ${userId} and ${slice.follows} ${slice.orderAndLimit}
    ) as p,
    lateral (
      select count(*) as devices, count(*) filter (where ${liveConnection(now)}) as connected,
        coalesce(sum((select count(*) from device_certificates c
          where c.device_id = d.device_id and c.status = 'Pending')), 0)::bigint as pending
      from devices d where d.project_id = p.project_id
    ) as counted
    ${slice.order}`.execute(tx);
  return rows;
}

function toOutput(row: Row) {
  return {
    projectId: ids.project.of(row.project_id),
    name: row.name,
    devices: row.devices,
    connectedDevices: row.connected,
    pendingCertificates: row.pending,
    isOwner: row.is_owner,
  };
}
