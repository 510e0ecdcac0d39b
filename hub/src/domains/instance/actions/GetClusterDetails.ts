import { ids } from '@corral/contract';
import { sql } from 'kysely';
import { mustBePerson } from '../../../auth/actors.ts';
import type { Handler } from '../../../calls/handler.ts';
import { isAdministrator } from '../../users/index.ts';
import { listOrder, sortKey } from '../../../platform/db/paging/list-order.ts';
import { readPage } from '../../../platform/db/paging/read-page.ts';

interface Row {
  readonly node_id: string;
  readonly name: string | null;
  readonly joined_at: string;
  readonly last_heartbeat_at: string;
  readonly version: string | null;
  readonly message_bus: 'Connected' | 'Disconnected' | null;
  readonly peer_name: string | null;
  readonly connections: number;
  readonly load: number | null;
  readonly cores: number | null;
  readonly memoryBytes: number | null;
  readonly machineMemoryBytes: number | null;
}

const oldestFirst = listOrder<Row>('cluster_GetClusterDetails', 'asc', [
  sortKey('joined_at', 'timestamptz'),
  sortKey('node_id', 'text'),
]);

/** Lists the nodes that hold a lease, oldest first. Only administrators see their versions, their connections, their load and whether they reach NATS. */
export const GetClusterDetails: Handler<'cluster_GetClusterDetails', boolean> = {
  async authorize({ tx, actor }) {
    if (actor.actor !== 'System' && actor.actor !== 'ClusterNode') mustBePerson(actor);
    return actor.actor === 'User' && (await isAdministrator(tx, actor));
  },

  async run({ tx, actor, input, now }, isForAdministrator) {
    const { items, more } = await readPage(oldestFirst, input, {
      read: async (slice) => {
        const { rows } = await sql<Row>`
          select node_id, name, joined_at, last_heartbeat_at, version, message_bus, peer_name,
            load, cores, memory_bytes as "memoryBytes", machine_memory_bytes as "machineMemoryBytes", ${isForAdministrator ? connections : sql`0`} as connections
          from cluster_nodes n where lease_until > ${now} and ${slice.follows} ${slice.orderAndLimit}`.execute(
          tx,
        );
        return rows;
      },
      toItem: (row) => ({
        ...toOutput(row, now, isForAdministrator),
        ...(actor.actor === 'System' ? { isReachable: row.peer_name !== null } : {}),
      }),
    });
    return { nodes: items, ...more };
  },
};

/** An index lists the open connections of each node. */
const connections = sql`(
  select count(*) from device_connections c join devices using (device_id) where c.node_id = n.node_id and c.ended_at is null
)`;

function toOutput(row: Row, now: Date, isForAdministrator: boolean) {
  return {
    nodeId: ids.clusterNode.of(row.node_id),
    ...(row.name === null ? {} : { name: row.name }),
    joinedAt: row.joined_at,
    uptimeSecs: Math.max(0, Math.floor((now.getTime() - Date.parse(row.joined_at)) / 1000)),
    lastHeartbeat: row.last_heartbeat_at,
    ...(isForAdministrator && row.version !== null ? { version: row.version } : {}),
    ...(isForAdministrator ? { connections: row.connections } : {}),
    ...(isForAdministrator ? usageOf(row) : {}),
    ...(isForAdministrator && row.message_bus !== null
      ? { isBusConnected: row.message_bus === 'Connected' }
      : {}),
  };
}

/** What is known of the machine; nodes of older hubs do not tell, nor does a node before its first heartbeat. */
function usageOf({ load, cores, memoryBytes, machineMemoryBytes }: Row) {
  return {
    ...(load === null ? {} : { load }),
    ...(cores === null ? {} : { cores }),
    ...(memoryBytes === null ? {} : { memoryBytes }),
    ...(machineMemoryBytes === null ? {} : { machineMemoryBytes }),
  };
}
