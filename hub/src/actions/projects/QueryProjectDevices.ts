import { ids, type Json } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../db/connect.ts';
import type { Handler } from '../../executor/handler.ts';
import { mustSeeProject, type ProjectAccess } from '../../policy/projects.ts';
import { firstSystemInfoProperty, healthProperty, systemInfoProperty } from '../../store/known-properties.ts';
import { listOrder, sortKey, type Slice } from '../../store/paging/list-order.ts';
import { readPage } from '../../store/paging/read-page.ts';
import { liveConnectedAt } from '../../store/presence.ts';

interface Row {
  readonly device_id: string;
  readonly name: string | null;
  readonly hostname: Json | null;
  readonly info_at: string | null;
  readonly first_hostname: Json | null;
  readonly first_info_at: string | null;
  readonly health: Json | null;
  readonly created_at: string;
  readonly live_since: string | null;
  readonly pending: number;
  readonly last_connected_at: string | null;
}

const newestFirst = listOrder<Row>('projects_QueryProjectDevices', 'desc', [
  sortKey('created_at', 'timestamptz', sql`d.created_at`),
  sortKey('device_id', 'text', sql`d.device_id`),
]);

/** Lists the devices of a project, newest first, with presence, health and pending certificates. */
export const QueryProjectDevices: Handler<'projects_QueryProjectDevices', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeProject(tx, actor, input.projectId),

  async run({ tx, input, now }, { projectId }) {
    const { items, more } = await readPage(newestFirst, input, {
      of: projectId,
      read: (slice) => readDevices(tx, projectId, slice, now),
      toItem: (row) => toOutput(row, now),
    });
    return { devices: items, ...more };
  },
};

/** Selects the slice first, so that presence and properties are read for its devices only. */
async function readDevices(tx: Database, projectId: string, slice: Slice, now: Date): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select d.device_id, d.name, d.created_at, ${liveConnectedAt(now)} as live_since,
      (select count(*) from device_certificates c where c.device_id = d.device_id and c.status = 'Pending') as pending,
      (select max(c.connected_at) from device_connections c where c.device_id = d.device_id) as last_connected_at,
      info.value -> 'hostname' as hostname, info.updated_at as info_at, health.value -> 'status' as health,
      first_info.value -> 'hostname' as first_hostname, first_info.updated_at as first_info_at
    from (
      select d.device_id, d.name, d.created_at from devices d
      where d.project_id = ${projectId} and ${slice.follows} ${slice.orderAndLimit}
    ) as d
    left join device_properties info on info.device_id = d.device_id and info.name = ${systemInfoProperty}
    left join device_properties first_info
      on first_info.device_id = d.device_id and first_info.name = ${firstSystemInfoProperty}
    left join device_properties health on health.device_id = d.device_id and health.name = ${healthProperty}
    ${slice.order}`.execute(tx);
  return rows;
}

function toOutput(row: Row, now: Date) {
  const hostname = hostnameOf(row);
  return {
    deviceId: ids.device.of(row.device_id),
    ...(row.name === null ? {} : { name: row.name }),
    ...(hostname === undefined ? {} : { hostname }),
    firstSeen: row.created_at,
    status: statusOf(row),
    isConnected: row.live_since !== null,
    pendingCertificatesCount: row.pending,
    ...(row.last_connected_at === null ? {} : { lastConnectedAt: row.last_connected_at }),
    ...(row.live_since === null ? {} : { currentConnectionDurationSecs: secsSince(row.live_since, now) }),
  };
}

/** The host name in the newer of the two properties that hold a device's system information. */
function hostnameOf(row: Row): string | undefined {
  const isFirstNewer = Date.parse(row.first_info_at ?? '') > Date.parse(row.info_at ?? '');
  const hostnames = [row.hostname, row.first_hostname];
  return (isFirstNewer ? hostnames.toReversed() : hostnames).find(isName);
}

function isName(value: Json | null): value is string {
  return typeof value === 'string' && value !== '';
}

/** A connected device without a health property counts as healthy. */
function statusOf({ live_since, health }: Row): 'healthy' | 'warning' | 'error' | 'offline' {
  if (live_since === null) return 'offline';
  if (health === 'degraded') return 'warning';
  return health === 'error' ? 'error' : 'healthy';
}

function secsSince(at: string, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - Date.parse(at)) / 1000));
}
