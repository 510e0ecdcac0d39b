import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { forgetAfterMs } from './cluster-nodes.ts';

/** What the configuration of a node sets of the settings that all nodes of a cluster should have alike; what is not set there is absent. */
export interface NodeSettings {
  readonly eventRetentionMonths?: number;
  readonly auditRetentionMonths?: number;
  readonly registration?: string;
  readonly publicUrl?: string;
}

/** The settings of the nodes that hold their lease or held it within the last hour, since they may be starting again; without those that have not told them. */
export async function settingsOfRecentNodes(tx: Database, now: Date): Promise<NodeSettings[]> {
  const since = new Date(now.getTime() - forgetAfterMs);
  const { rows } = await sql<{ settings: NodeSettings }>`
    select settings from cluster_nodes where lease_until > ${since} and settings is not null`.execute(tx);
  return rows.map(({ settings }) => settings);
}
