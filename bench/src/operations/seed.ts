import { ids, type Id } from '@corral/contract';
import type pg from 'pg';
import { rawIdOf } from '../large-fleet/seed.ts';

/** How many devices there are. */
export const deviceCount = 100_000;

const device = rawIdOf('operated device', 'n');
const node = rawIdOf('operated node', "''");
const numbers = `generate_series(1, ${deviceCount}) as n`;

/** All are connected, on a node that never loses its lease, and nobody answers there. */
const devices = `
  insert into cluster_nodes (node_id, joined_at, lease_until, last_heartbeat_at) values (${node}, now(), now() + interval '1 day', now());
  insert into devices (device_id, project_id, fingerprint_id, fingerprint_hash, name, metadata, created_at)
    select ${device}, $project, ${rawIdOf('operated key', 'n')}, '', 'Device ' || n, jsonb_build_object('ring', case when n % 20 = 0 then 'canary' else 'stable' end), now()
    from ${numbers};
  insert into device_connections (connection_id, device_id, node_id, connected_at)
    select ${rawIdOf('operated connection', 'n')}, ${device}, ${node}, now() - interval '1 hour' from ${numbers};`;

/** Triggers would take minutes, row by row: what they note of these is written by one statement each. */
const properties = `
  set session_replication_role = 'replica';
  insert into device_properties (device_id, name, value, is_protected, updated_at)
    select ${device}, 'dev.nexigon.system.info', jsonb_build_object('name', 'Debian GNU/Linux', 'version', 12 + n % 2, 'kernel', '6.12.' || n % 40,
      'arch', (array['x86_64', 'aarch64', 'armv7l'])[1 + n % 3], 'memory', jsonb_build_object('total', 1073741824::bigint * (1 + n % 8)),
      'agent', jsonb_build_object('version', '0.9.0', 'config', jsonb_build_object('commands', jsonb_build_object('enabled', n % 10 > 0))),
      'networks', jsonb_build_array(jsonb_build_object('name', 'eth0', 'macAddress', md5('mac' || n), 'ipAddresses', jsonb_build_array('10.' || n % 250 || '.0.7'))),
      'disks', jsonb_build_array(jsonb_build_object('name', '/dev/mmcblk0p2', 'filesystem', 'ext4', 'mountPoint', '/', 'totalSpace', 31268536320,
        'availableSpace', n::bigint * 100000))), false, now() from ${numbers};
  insert into device_properties (device_id, name, value, is_protected, updated_at)
    select ${device}, 'ota', jsonb_build_object('version', '2.' || n % 5 || '.' || n % 9, 'slot', case when n % 2 = 0 then 'a' else 'b' end), false, now() from ${numbers};
  insert into device_properties (device_id, name, value, is_protected, updated_at)
    select ${device}, 'dev.nexigon.commands', jsonb_build_object('commands', jsonb_build_array(jsonb_build_object('name', 'restart', 'input',
      jsonb_build_object('type', 'object')), jsonb_build_object('name', 'collect-' || n % 20))), false, now() from ${numbers};
  set session_replication_role = 'origin';
  insert into project_property_names (project_id, name) select $project, name from unnest(array['dev.nexigon.system.info', 'ota', 'dev.nexigon.commands']) as name;
  insert into device_abilities (device_id, manifest_hash, has_commands, has_terminal, claimed_at)
    select c.device_id, md5(c.value::text)::uuid, coalesce((i.value #>> '{agent,config,commands,enabled}') = 'true', false), false, now()
    from device_properties c join device_properties i using (device_id) where c.name = 'dev.nexigon.commands' and i.name = 'dev.nexigon.system.info';`;

const installs = `
  insert into packages (package_id, repository_id, name, created_at) values (${rawIdOf('operated package', "''")}, $repository, 'app', now());
  insert into package_versions (version_id, package_id, repository_id, name, created_at)
    select ${rawIdOf('operated version', 'n')}, ${rawIdOf('operated package', "''")}, $repository, '1.' || n, now() from generate_series(0, 7) as n;
  insert into device_installs (device_id, package_id, version_id, device_operation_id, proved_at)
    select ${device}, ${rawIdOf('operated package', "''")}, ${rawIdOf('operated version', 'n % 8')}, '', now() from ${numbers};`;

/** Writes the devices of a project, and which versions of acme/app of the repository they have, directly: through the API it would take hours. */
export async function seedDevices(
  client: pg.Client,
  projectId: Id<'project'>,
  repositoryId: Id<'repository'>,
): Promise<void> {
  // Written one by one, entries of this index take several minutes.
  await client.query('alter index device_texts_by_trigram set (fastupdate = on)');
  for (const part of [devices, properties, installs])
    await client.query(
      part
        .replaceAll('$project', `'${ids.project.raw(projectId)}'`)
        .replaceAll('$repository', `'${ids.repository.raw(repositoryId)}'`),
    );
  await client.query('alter index device_texts_by_trigram set (fastupdate = off)');
  // As autovacuum does in a running database, soon after so many rows.
  await client.query('vacuum analyze');
}

/** Ends the node that has the devices: as long as it lives no other hub starts. */
export async function endNode(client: pg.Client): Promise<void> {
  await client.query(`update cluster_nodes set lease_until = now() where node_id = ${node}`);
}
