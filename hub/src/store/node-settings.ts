import type { Input } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../db/connect.ts';

/** What the configuration of a node sets of the settings that all nodes of a cluster should have alike. */
export type NodeSettings = NonNullable<Input<'cluster_RegisterClusterNode'>['settings']>;

/** The settings of the nodes that hold their lease, without those that have not told them. */
export async function settingsOfLiveNodes(tx: Database, now: Date): Promise<NodeSettings[]> {
  const { rows } = await sql<{ settings: NodeSettings }>`
    select settings from cluster_nodes where lease_until > ${now} and settings is not null`.execute(tx);
  return rows.map(({ settings }) => settings);
}
