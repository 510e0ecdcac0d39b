import { ids, type Id } from '@corral/contract';
import pg from 'pg';
import { rawIdOf } from '../large-fleet/seed.ts';

/** Writes devices of a project directly, with names such as "crane-17"; through the API it would take minutes. */
export async function seedDevices(
  databaseUrl: string,
  projectId: Id<'project'>,
  count: number,
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `insert into devices (device_id, project_id, fingerprint_id, fingerprint_hash, name, created_at)
        select ${rawIdOf('listed device', 'n')}, $1, ${rawIdOf('listed key', 'n')}, '',
          case when n % 17 > 0 then (array['crane', 'gate', 'reefer', 'weighbridge', 'camera', 'tide-gauge'])[1 + n % 6] || '-' || n end,
          now() - n * interval '1 minute'
        from generate_series(1, $2::int) as n`,
      [ids.project.raw(projectId), count],
    );
    await client.query('vacuum analyze devices');
  } finally {
    await client.end();
  }
}
