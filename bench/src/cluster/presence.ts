import { setTimeout as pause } from 'node:timers/promises';
import type { HubName } from '@corral/tools';
import pg from 'pg';

/** What the database says of connections: every hub answers from it alone. */
export interface Presence {
  /** The id of a hub that holds its lease. */
  nodeOf(hub: HubName): Promise<string>;
  /** Devices with a connection to a hub that holds its lease. */
  connected(): Promise<number>;
  /** Open connections of a node. */
  connectionsOf(nodeId: string): Promise<number>;
  /** Resolves with the seconds until something is true. Rejects after the limit. */
  until(isTrue: () => Promise<boolean>, what: string): Promise<number>;
  close(): Promise<void>;
}

const pollEveryMs = 200;
const giveUpAfterMs = 180_000;

/** Connects to the database of a cluster. */
export async function openPresence(databaseUrl: string): Promise<Presence> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  // While the database is restarted, idle connections end.
  pool.on('error', () => undefined);
  const count = async (statement: string, ...values: string[]): Promise<number> => {
    const { rows } = await pool.query<{ count: number }>(statement, values);
    return rows[0]?.count ?? 0;
  };
  return {
    async nodeOf(hub) {
      const { rows } = await pool.query<{ node_id: string }>(
        'select node_id from cluster_nodes where name = $1 and lease_until > clock_timestamp()',
        [hub],
      );
      return rows[0]?.node_id ?? '';
    },
    connected: () =>
      count(
        `select count(distinct c.device_id)::int as count from device_connections c join cluster_nodes n using (node_id)
         where c.ended_at is null and n.lease_until > clock_timestamp()`,
      ),
    connectionsOf: (nodeId) =>
      count(
        'select count(*)::int as count from device_connections where node_id = $1 and ended_at is null',
        nodeId,
      ),
    async until(isTrue, what) {
      const begunAtMs = performance.now();
      while (!(await isTrue().catch(() => false))) {
        if (performance.now() - begunAtMs > giveUpAfterMs) throw new Error(`Not within 180 s: ${what}.`);
        await pause(pollEveryMs);
      }
      return (performance.now() - begunAtMs) / 1_000;
    },
    close: () => pool.end(),
  };
}
