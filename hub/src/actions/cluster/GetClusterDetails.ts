import { ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../executor/handler.ts';
import { mustBePerson } from '../../policy/actors.ts';
import { listOrder, sortKey } from '../../store/paging/list-order.ts';
import { readPage } from '../../store/paging/read-page.ts';

interface Row {
  readonly node_id: string;
  readonly name: string | null;
  readonly joined_at: string;
  readonly last_heartbeat_at: string;
}

const oldestFirst = listOrder<Row>('cluster_GetClusterDetails', 'asc', [
  sortKey('joined_at', 'timestamptz'),
  sortKey('node_id', 'text'),
]);

/** Lists the nodes that hold a lease, oldest first. */
export const GetClusterDetails: Handler<'cluster_GetClusterDetails'> = {
  authorize({ actor }) {
    if (actor.actor !== 'System' && actor.actor !== 'ClusterNode') mustBePerson(actor);
  },

  async run({ tx, input, now }) {
    const { items, more } = await readPage(oldestFirst, input, {
      read: async (slice) => {
        const { rows } = await sql<Row>`
          select node_id, name, joined_at, last_heartbeat_at from cluster_nodes
          where lease_until > ${now} and ${slice.follows} ${slice.orderAndLimit}`.execute(tx);
        return rows;
      },
      toItem: (row) => toOutput(row, now),
    });
    return { nodes: items, ...more };
  },
};

function toOutput(row: Row, now: Date) {
  return {
    nodeId: ids.clusterNode.of(row.node_id),
    ...(row.name === null ? {} : { name: row.name }),
    joinedAt: row.joined_at,
    uptimeSecs: Math.max(0, Math.floor((now.getTime() - Date.parse(row.joined_at)) / 1000)),
    lastHeartbeat: row.last_heartbeat_at,
  };
}
