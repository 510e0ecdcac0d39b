import type { NodeSettings } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../db/connect.ts';

/** The settings of the nodes that hold their lease, without those that have not told them. */
export async function settingsOfLiveNodes(tx: Database, now: Date): Promise<NodeSettings[]> {
  const { rows } = await sql<{ settings: NodeSettings }>`
    select settings from cluster_nodes where lease_until > ${now} and settings is not null`.execute(tx);
  return rows.map(({ settings }) => settings);
}
