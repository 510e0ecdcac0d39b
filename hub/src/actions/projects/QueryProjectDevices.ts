import { ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../executor/handler.ts';
import { mustSeeProject, type ProjectAccess } from '../../policy/projects.ts';
import { liveConnection } from '../../store/presence.ts';

interface Row {
  readonly device_id: string;
  readonly name: string | null;
  readonly created_at: string;
  readonly is_connected: boolean;
  readonly pending: number;
  readonly last_connected_at: string | null;
}

/** Lists the devices of a project, newest first, with presence and pending certificates, in one statement. */
export const QueryProjectDevices: Handler<'projects_QueryProjectDevices', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeProject(tx, actor, input.projectId),

  async run({ tx, now }, { projectId }) {
    const { rows } = await sql<Row>`
      select d.device_id, d.name, d.created_at, ${liveConnection(now)} as is_connected,
        (select count(*) from device_certificates c where c.device_id = d.device_id and c.status = 'Pending') as pending,
        (select max(c.connected_at) from device_connections c where c.device_id = d.device_id) as last_connected_at
      from devices d where d.project_id = ${projectId}
      order by d.created_at desc, d.device_id`.execute(tx);
    return { devices: rows.map(shown) };
  },
};

function shown(row: Row) {
  return {
    deviceId: ids.device.of(row.device_id),
    ...(row.name === null ? {} : { name: row.name }),
    firstSeen: row.created_at,
    isConnected: row.is_connected,
    pendingCertificatesCount: row.pending,
    ...(row.last_connected_at === null ? {} : { lastConnectedAt: row.last_connected_at }),
  };
}
