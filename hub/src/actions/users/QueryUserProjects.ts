import { ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../executor/handler.ts';
import { mustBeSelfOrAdministrator } from '../../policy/actors.ts';
import { liveConnection } from '../../store/presence.ts';

interface Row {
  project_id: string;
  name: string;
  is_owner: boolean;
  devices: number;
  connected: number;
  pending: number;
}

/** Lists the projects that a user is a member of, with what is going on in them. */
export const QueryUserProjects: Handler<'users_QueryUserProjects'> = {
  authorize: ({ tx, actor, input }) => mustBeSelfOrAdministrator(tx, actor, input.userId),

  async run({ tx, input, now }) {
    const { rows } = await sql<Row>`
      select p.project_id, p.name, m.is_owner, counted.devices, counted.connected, counted.pending
      from project_members m join projects p using (project_id),
      lateral (
        select count(*) as devices, count(*) filter (where ${liveConnection(now)}) as connected,
          coalesce(sum((select count(*) from device_certificates c
            where c.device_id = d.device_id and c.status = 'Pending')), 0)::bigint as pending
        from devices d where d.project_id = p.project_id
      ) counted
      where m.user_id = ${ids.user.raw(input.userId)}
      order by lower(p.name), p.name, p.project_id`.execute(tx);
    const projects = rows.map((row) => ({
      projectId: ids.project.of(row.project_id),
      name: row.name,
      devices: row.devices,
      connectedDevices: row.connected,
      pendingCertificates: row.pending,
      isOwner: row.is_owner,
    }));
    return { projects };
  },
};
