import type { NodeSettings } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../db/connect.ts';
import { forgetAfterMs } from './cluster-nodes.ts';

/** The settings of the nodes that hold their lease or held it within the last hour, since they may be starting again; without those that have not told them. */
export async function settingsOfRecentNodes(tx: Database, now: Date): Promise<NodeSettings[]> {
  const since = new Date(now.getTime() - forgetAfterMs);
  const { rows } = await sql<{ settings: NodeSettings }>`
    select settings from cluster_nodes where lease_until > ${since} and settings is not null`.execute(tx);
  return rows.map(({ settings }) => settings);
}
