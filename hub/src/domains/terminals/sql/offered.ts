import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { liveConnection, systemInfoProperty } from '../../devices/index.ts';

/** What a device says of terminals. */
export interface Offered {
  readonly isConnected: boolean;
  /** Whether its agent serves them, as said since its connection began. */
  readonly isOffered: boolean;
  readonly users: readonly string[];
}

const maxUsers = 100;
const maxUserCharacters = 128;

/** Reads what a device, by its raw id, says of terminals. */
export async function readOffered(tx: Database, deviceId: string, now: Date): Promise<Offered> {
  const { rows } = await sql<{ isConnected: boolean; isOffered: boolean; users: unknown }>`
    select ${liveConnection(now)} as "isConnected",
      coalesce((p.value #>> '{agent,config,terminal,enabled}') = 'true' and p.updated_at >= (
        select max(c.connected_at) from device_connections c join cluster_nodes n using (node_id)
        where c.device_id = d.device_id and c.ended_at is null and n.lease_until > ${now}), false) as "isOffered",
      p.value #> '{agent,config,terminal,users}' as users
    from devices d left join device_properties p on p.device_id = d.device_id and p.name = ${systemInfoProperty}
    where d.device_id = ${deviceId}`.execute(tx);
  const { isConnected = false, isOffered = false, users } = rows[0] ?? {};
  return { isConnected, isOffered: isConnected && isOffered, users: isOffered ? namesIn(users) : [] };
}

/** Devices write what they want. */
function namesIn(users: unknown): string[] {
  if (!Array.isArray(users)) return [];
  return users
    .slice(0, maxUsers)
    .filter(
      (user): user is string =>
        typeof user === 'string' &&
        user.length > 0 &&
        user.length <= maxUserCharacters &&
        !/[\s\p{C}/]/u.test(user),
    );
}
