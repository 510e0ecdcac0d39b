import { ids, type Id } from '@corral/contract';
import pg from 'pg';

/** How much there is. */
export const counts = { devices: 100_000, events: 1_000_000, projects: 1_000, devicesOfEach: 100 };
/** How many of the events one device has; the others are spread over the fleet. */
const eventsOfOne = 100_000;

/** What the fleet can be addressed by. */
export interface SeededFleet {
  /** The project with all devices. */
  readonly projectId: Id<'project'>;
  /** The device with many events. */
  readonly deviceId: Id<'device'>;
}

/** The expression of a raw id that is always the same for a number. */
export const rawIdOf = (what: string, number: string): string =>
  `translate(rpad(right(md5('${what}' || ${number}), 22), 22, '1'), '0', 'g')`;

/** Nine of ten devices are connected, on a node that never loses its lease. */
const people = (userId: string): string => `
  insert into cluster_nodes (node_id, joined_at, lease_until, last_heartbeat_at)
    values (${rawIdOf('node', "''")}, now(), now() + interval '1 day', now());
  insert into all_projects (project_id)
    select ${rawIdOf('project', 'n')} from generate_series(0, ${counts.projects}) as n;
  insert into projects (project_id, name, created_at)
    select ${rawIdOf('project', 'n')}, 'Project ' || n, now() from generate_series(0, ${counts.projects}) as n;
  insert into project_members (project_id, user_id, is_owner, added_at)
    select ${rawIdOf('project', 'n')}, '${userId}', true, now() from generate_series(0, ${counts.projects}) as n;`;

/** The devices of project 0, then those of the others. */
const numbers = `generate_series(1, ${counts.devices + counts.projects * counts.devicesOfEach}) as n`;
const projectOf = `case when n <= ${counts.devices} then 0 else 1 + (n - ${counts.devices} - 1) / ${counts.devicesOfEach} end`;

const devices = `
  insert into devices (device_id, project_id, fingerprint_id, fingerprint_hash, name, metadata, created_at)
    select ${rawIdOf('device', 'n')}, ${rawIdOf('project', projectOf)}, ${rawIdOf('key', 'n')}, '', case when n % 4 > 0 then 'Device ' || n end,
      jsonb_build_object('ring', case when n % 20 = 0 then 'canary' else 'stable' end), now() - n * interval '1 minute'
    from ${numbers};
  insert into device_certificates (certificate_id, device_id, fingerprint, status, created_at)
    select ${rawIdOf('certificate', 'n')}, ${rawIdOf('device', 'n')}, md5('certificate' || n), case when n % 50 = 0 then 'Pending' else 'Active' end,
      now() - n * interval '1 minute'
    from ${numbers};
  insert into device_connections (connection_id, device_id, node_id, connected_at, ended_at, end_reason)
    select ${rawIdOf('connection', 'n')}, ${rawIdOf('device', 'n')}, ${rawIdOf('node', "''")}, now() - n % 5000 * interval '10 minutes' - interval '1 hour',
      case when n % 10 = 0 then now() - n % 5000 * interval '10 minutes' end, case when n % 10 = 0 then 'Disconnected' end
    from ${numbers};`;

const properties = `
  insert into device_properties (device_id, name, value, is_protected, updated_at)
    select ${rawIdOf('device', 'n')}, 'dev.nexigon.system.info', jsonb_build_object('name', 'Debian GNU/Linux', 'version', 12 + n % 2,
      'kernel', '6.12.' || n % 40, 'hostname', 'host-' || n, 'arch', (array['x86_64', 'aarch64', 'armv7l'])[1 + n % 3],
      'memory', jsonb_build_object('total', 1073741824::bigint * (1 + n % 8)),
      'networks', jsonb_build_array(jsonb_build_object('name', 'eth0', 'macAddress', md5('mac' || n), 'ipAddresses', jsonb_build_array('10.' || n % 250 || '.0.7'))),
      'disks', jsonb_build_array(jsonb_build_object('name', '/dev/mmcblk0p2', 'filesystem', 'ext4', 'mountPoint', '/',
        'totalSpace', 31268536320, 'availableSpace', n::bigint * 100000))), false, now()
    from ${numbers};
  insert into device_properties (device_id, name, value, is_protected, updated_at)
    select ${rawIdOf('device', 'n')}, 'ota', jsonb_build_object('version', '2.' || n % 5 || '.' || n % 9, 'slot', case when n % 2 = 0 then 'a' else 'b' end),
      false, now()
    from ${numbers} where n <= ${counts.devices};
  insert into device_properties (device_id, name, value, is_protected, updated_at)
    select ${rawIdOf('device', 'n')}, 'dev.nexigon.system.health',
      jsonb_build_object('status', case when n % 200 = 0 then 'error' else 'degraded' end), false, now()
    from ${numbers} where n % 40 = 0;`;

const events = `
  insert into device_events (device_id, event_month, event_id, category, severity, body, attributes, emitted_at, received_at)
    select case when n <= ${eventsOfOne} then ${rawIdOf('device', '1')} else ${rawIdOf('device', `(1 + n % ${counts.devices})`)} end,
      to_char(at, 'YYYYMM')::int, to_char(at, 'YYYYMMDD-HH24MI-') || translate(right(md5('event' || n), 8), '0', 'g'),
      (array['update', 'network', 'sensor', null])[1 + n % 4],
      case when n % 5000 = 0 then 'Critical' when n % 50 = 0 then 'Error' when n % 10 = 0 then 'Warning' else 'Info' end,
      to_jsonb('Measurement ' || n), jsonb_build_object('celsius', 20 + n % 10), at, now()
    from (select n, now() - n % 40000 * interval '1 minute' as at from generate_series(1, ${counts.events}) as n) as numbered
    on conflict do nothing;`;

/** Writes the rows directly, in a minute or two: through the API it would take hours. The user owns all projects. */
export async function seedFleet(databaseUrl: string, userId: Id<'user'>): Promise<SeededFleet> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    // Written one by one, entries of this index take several minutes.
    await client.query('alter index device_texts_by_trigram set (fastupdate = on)');
    for (const part of [people(ids.user.raw(userId)), devices, properties, events]) await client.query(part);
    await client.query('alter index device_texts_by_trigram set (fastupdate = off)');
    // As autovacuum does in a running database, soon after so many rows.
    await client.query('vacuum analyze');
    const { rows } = await client.query<{ project: string; device: string }>(
      `select ${rawIdOf('project', '0')} as project, ${rawIdOf('device', '1')} as device`,
    );
    return {
      projectId: ids.project.of(rows[0]?.project ?? ''),
      deviceId: ids.device.of(rows[0]?.device ?? ''),
    };
  } finally {
    await client.end();
  }
}
