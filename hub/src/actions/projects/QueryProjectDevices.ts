import { ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../executor/handler.ts';
import { mustSeeProject, type ProjectAccess } from '../../policy/projects.ts';
import { healthProperty, systemInfoProperties } from '../../store/known-properties.ts';
import { liveConnectedAt } from '../../store/presence.ts';

interface Row {
  readonly device_id: string;
  readonly name: string | null;
  readonly hostname: string | null;
  readonly health: string | null;
  readonly created_at: string;
  readonly live_since: string | null;
  readonly pending: number;
  readonly last_connected_at: string | null;
}

/** Lists the devices of a project, newest first, with presence, health and pending certificates, in one statement. */
export const QueryProjectDevices: Handler<'projects_QueryProjectDevices', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeProject(tx, actor, input.projectId),

  async run({ tx, now }, { projectId }) {
    const { rows } = await sql<Row>`
      select d.device_id, d.name, d.created_at, ${liveConnectedAt(now)} as live_since,
        (select count(*) from device_certificates c where c.device_id = d.device_id and c.status = 'Pending') as pending,
        (select max(c.connected_at) from device_connections c where c.device_id = d.device_id) as last_connected_at,
        (select p.value ->> 'hostname' from device_properties p where p.device_id = d.device_id
          and p.name = any(${[...systemInfoProperties]}) and jsonb_typeof(p.value -> 'hostname') = 'string'
          order by p.updated_at desc limit 1) as hostname,
        (select p.value ->> 'status' from device_properties p where p.device_id = d.device_id and p.name = ${healthProperty}) as health
      from devices d where d.project_id = ${projectId}
      order by d.created_at desc, d.device_id`.execute(tx);
    return { devices: rows.map((row) => shown(row, now)) };
  },
};

function shown(row: Row, now: Date) {
  return {
    deviceId: ids.device.of(row.device_id),
    ...(row.name === null ? {} : { name: row.name }),
    ...(row.hostname === null || row.hostname === '' ? {} : { hostname: row.hostname }),
    firstSeen: row.created_at,
    status: statusOf(row),
    isConnected: row.live_since !== null,
    pendingCertificatesCount: row.pending,
    ...(row.last_connected_at === null ? {} : { lastConnectedAt: row.last_connected_at }),
    ...(row.live_since === null ? {} : { currentConnectionDurationSecs: secsSince(row.live_since, now) }),
  };
}

/** A device that is connected and says nothing of its health is healthy. */
function statusOf({ live_since, health }: Row): 'healthy' | 'warning' | 'error' | 'offline' {
  if (live_since === null) return 'offline';
  if (health === 'degraded') return 'warning';
  return health === 'error' ? 'error' : 'healthy';
}

function secsSince(at: string, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - Date.parse(at)) / 1000));
}
