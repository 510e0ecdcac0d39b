import { ids, type Id } from '@corral/contract';
import pg from 'pg';
import { rawIdOf } from '../large-fleet/seed.ts';

/** Writes the devices `from` to `to` of a project directly, with names such as "crane-17" at one of 40 sites, nine of ten connected; through the API it would take minutes. */
export async function seedDevices(
  databaseUrl: string,
  projectId: Id<'project'>,
  { from, to }: { from: number; to: number },
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  const node = rawIdOf('listed node', "''");
  await client.connect();
  try {
    await client.query(
      `insert into cluster_nodes (node_id, joined_at, lease_until, last_heartbeat_at)
        values (${node}, now(), now() + interval '1 day', now()) on conflict do nothing`,
    );
    await client.query(
      `insert into devices (device_id, project_id, fingerprint_id, fingerprint_hash, name, metadata, created_at)
        select ${rawIdOf('listed device', 'n')}, $1, ${rawIdOf('listed key', 'n')}, '',
          case when n % 17 > 0 then (array['crane', 'gate', 'reefer', 'weighbridge', 'camera', 'tide-gauge'])[1 + n % 6] || '-' || n end,
          jsonb_build_object('site', 'Quay ' || n % 40), now() - n * interval '1 minute'
        from generate_series($2::int, $3::int) as n`,
      [ids.project.raw(projectId), from, to],
    );
    await client.query(
      `insert into device_connections (connection_id, device_id, node_id, connected_at)
        select ${rawIdOf('listed connection', 'n')}, ${rawIdOf('listed device', 'n')}, ${node}, now()
        from generate_series($1::int, $2::int) as n where n % 10 > 0`,
      [from, to],
    );
    await client.query('vacuum analyze devices');
  } finally {
    await client.end();
  }
}
