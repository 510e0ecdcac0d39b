import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { findFailingJobs } from '../../instance/index.ts';

/** So long e-mails wait before they are found. */
const waitingMs = 10 * 60_000;
/** So long a node that is lost is found; then it is forgotten. */
const hourMs = 3_600_000;

/** SQL of what administrators should know of the hub: full disks, lost nodes in whose place no other of their name has come, jobs whose last run failed, e-mails that wait. */
export async function foundOfHub(tx: Database, percent: number, now: Date): Promise<RawBuilder<unknown>> {
  const failing = Object.entries(await findFailingJobs(tx)).flatMap(([name, isFailing]) =>
    isFailing === 1 ? [name] : [],
  );
  const name = sql`coalesce(n.name, 'cluster_node_' || n.node_id)`;
  const times = sql`${now}::timestamptz as since, ${now}::timestamptz as fires_at, null::timestamptz as seen_at`;
  // A node that has just started has not measured yet.
  const formerPercent = sql`(select o.disk_percent from cluster_nodes o
    where o.name is not distinct from n.name and o.joined_at < n.joined_at order by o.joined_at desc limit 1)`;
  return sql`
    (select distinct on (1) 'disk:' || coalesce(n.name, '') as subject, 'Disk of ' || ${name} as name, ${times}
      from cluster_nodes n where n.lease_until > ${now} and coalesce(n.disk_percent, ${formerPercent}) >= ${percent}::int
      order by 1, n.joined_at)
    union all
    select 'node:' || n.node_id, 'Node ' || ${name}, least(n.lease_until, ${now}), ${now}::timestamptz, null::timestamptz
      from cluster_nodes n
      where n.lease_until <= ${now} and n.lease_until > ${new Date(now.getTime() - hourMs)} and n.lease_until > n.last_heartbeat_at
        and not exists (select 1 from cluster_nodes o where o.joined_at > n.joined_at and o.name is not distinct from n.name)
    union all
    select 'job:' || j, 'Job ' || j, ${times} from unnest(${failing}::text[]) as j
    union all
    select 'mails', 'E-mails', ${times} where exists (
      select 1 from queued_mails m where m.attempts > 0 and m.created_at < ${new Date(now.getTime() - waitingMs)})`;
}
