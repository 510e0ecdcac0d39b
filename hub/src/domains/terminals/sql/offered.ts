import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { commandsProperty, liveConnection, systemInfoProperty } from '../../devices/index.ts';

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
      coalesce((p.value #>> '{agent,config,terminal,enabled}') = 'true' and ${isOfConnection(sql`p`, now)}, false) as "isOffered",
      p.value #> '{agent,config,terminal,users}' as users
    from devices d left join device_properties p on p.device_id = d.device_id and p.name = ${systemInfoProperty}
    where d.device_id = ${deviceId}`.execute(tx);
  const { isConnected = false, isOffered = false, users } = rows[0] ?? {};
  return { isConnected, isOffered: isConnected && isOffered, users: isOffered ? namesIn(users) : [] };
}

/** SQL for whether a property was written since the connection of the device `d` began. */
const isOfConnection = (property: RawBuilder<unknown>, now: Date) => sql`${property}.updated_at >= (
  select max(c.connected_at) from device_connections c join cluster_nodes n using (node_id)
  where c.device_id = d.device_id and c.ended_at is null and n.lease_until > ${now})`;

/** Whether a device, by its raw id, is connected, and has said over this connection that it takes a command. */
export async function readCommandOffered(
  tx: Database,
  deviceId: string,
  command: string,
  now: Date,
): Promise<Omit<Offered, 'users'>> {
  const named = JSON.stringify([{ name: command }]);
  const { rows } = await sql<{ isConnected: boolean; isOffered: boolean }>`
    select ${liveConnection(now)} as "isConnected",
      coalesce((p.value #>> '{agent,config,commands,enabled}') = 'true' and ${isOfConnection(sql`p`, now)}
        and (m.value -> 'commands')::jsonb @> ${named}::jsonb and ${isOfConnection(sql`m`, now)}, false) as "isOffered"
    from devices d
    left join device_properties p on p.device_id = d.device_id and p.name = ${systemInfoProperty}
    left join device_properties m on m.device_id = d.device_id and m.name = ${commandsProperty}
    where d.device_id = ${deviceId}`.execute(tx);
  return rows[0] ?? { isConnected: false, isOffered: false };
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
