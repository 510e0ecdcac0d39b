import { ActionError, type Id, ids } from '@corral/contract';
import { sql } from 'kysely';
import { newRawId } from '../../../auth/random.ts';
import type { Internal } from '../../../calls/handler.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { leaseEnd } from '../sql/cluster-nodes.ts';
import type { NodeSettings } from '../sql/node-settings.ts';

const maxNameLength = 200;
const maxVersionLength = 100;
/** The advisory lock under which nodes join one after the other; the number is arbitrary. */
const joinLock = 4_027_001;

interface StartingNode {
  readonly name?: string;
  readonly version?: string | undefined;
  /** Only this node uses the database: any other registered node is dead, and its lease ends now. */
  readonly isAlone?: boolean;
  /** Refused as NotReady while another node holds its lease, unless both are nodes of a cluster, which have a `peer`. */
  readonly mustBeOnly?: boolean;
  /** Where the other nodes reach it: its host and port for them, and the name in its certificate. */
  readonly peer?: { readonly name: string; readonly address: string } | undefined;
  readonly settings?: NodeSettings | undefined;
}

/** Registers a starting node under a new id, with a lease that its heartbeats extend. */
export const RegisterClusterNode: Internal<StartingNode, { nodeId: Id<'clusterNode'> }> = {
  name: 'cluster_RegisterClusterNode',
  isRecorded: true,
  async run({ tx, input, now, emit }) {
    if (input.isAlone === true)
      await tx
        .updateTable('cluster_nodes')
        .set({ lease_until: now })
        .where('lease_until', '>', now.toISOString())
        .execute();
    if (input.mustBeOnly === true) await mustHaveNoStranger(tx, now, input.peer !== undefined);
    const nodeId = newRawId();
    await tx
      .insertInto('cluster_nodes')
      .values({
        node_id: nodeId,
        name: input.name?.trim().slice(0, maxNameLength) || null,
        joined_at: now,
        lease_until: leaseEnd(now),
        last_heartbeat_at: now,
        version: input.version?.slice(0, maxVersionLength) ?? null,
        peer_name: input.peer?.name ?? null,
        peer_address: input.peer?.address ?? null,
        settings: input.settings === undefined ? null : JSON.stringify(input.settings),
      })
      .execute();
    const publicId = ids.clusterNode.of(nodeId);
    emit('cluster_NodesChanged', { nodeId: publicId });
    return { nodeId: publicId };
  },
};

/** Nodes that others reach form a cluster; any other is the only one. */
async function mustHaveNoStranger(tx: Database, now: Date, isForCluster: boolean): Promise<void> {
  await sql`select pg_advisory_xact_lock(${joinLock})`.execute(tx);
  const other = await tx
    .selectFrom('cluster_nodes')
    .select('node_id')
    .where('lease_until', '>', now.toISOString())
    .$if(isForCluster, (query) => query.where('peer_name', 'is', null))
    .executeTakeFirst();
  if (other !== undefined) throw new ActionError('NotReady', 'Another hub runs on this database.');
}
