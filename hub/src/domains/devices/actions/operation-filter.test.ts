import { ids, type Id } from '@corral/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { absentId } from '../../../../test/fresh-executor.ts';
import { fleetScene, type FleetScene } from '../../../../test/fleet-scene.ts';
import { seedCatalogue } from '../../../../test/seed-repository.ts';

let scene: FleetScene;
let names: Map<string, string>;
let operation: Id<'fleetOperation'>;
beforeAll(async () => {
  scene = await fleetScene();
  const { hub, project } = scene;
  names = new Map();
  const add = async (name: string, device: Parameters<FleetScene['addDevice']>[0]) => {
    const id = await scene.addDevice({ name, ...device });
    names.set(name, id);
    return id;
  };
  const a = await add('a', { isConnected: true, commands: [{ name: 'reboot' }, { name: 'stop' }] });
  const b = await add('b', { isConnected: true, commands: [{ name: 'reload' }] });
  await add('c', { isConnected: true });
  await sql`insert into device_abilities (device_id, claimed_at) values (${ids.device.raw(b)}, ${hub.now()})
    on conflict (device_id) do update set claimed_at = excluded.claimed_at`.execute(hub.database.db);
  operation = await scene.create({
    selector: { predicates: [], deviceIds: [a, b] },
    stages: [{ name: 'All' }],
  });
  await hub.as(project.owner, 'fleet_StartOperation', { fleetOperationId: operation });
  await sql`update device_operations set status = 'Failed' where device_id = ${ids.device.raw(a)}`.execute(
    hub.database.db,
  );
  const { packageId, repositoryId, versionId } = await seedCatalogue(hub, { owner: project.owner });
  await sql`update repositories set name = 'acme' where repository_id = ${ids.repository.raw(repositoryId)}`.execute(
    hub.database.db,
  );
  await sql`update package_versions set name = '1.3.9' where version_id = ${ids.packageVersion.raw(versionId)}`.execute(
    hub.database.db,
  );
  await sql`insert into device_installs (device_id, package_id, version_id, device_operation_id, proved_at)
    values (${ids.device.raw(a)}, ${ids.package.raw(packageId)}, ${ids.packageVersion.raw(versionId)}, 'x', now())`.execute(
    hub.database.db,
  );
});
afterAll(() => scene[Symbol.asyncDispose]());

const found = async (filter: string): Promise<string> => {
  const { projectId, owner } = scene.project;
  const { devices } = await scene.hub.as(owner, 'projects_QueryProjectDevices', {
    projectId,
    filter,
    order: 'name',
  });
  const { count } = await scene.hub.as(owner, 'projects_CountProjectDevices', { projectId, filter });
  expect(count).toBe(devices.length);
  return devices.map(({ name }) => name).join('');
};

test('the commands that devices offer are found by name', async () => {
  expect(await found('cmd:reboot')).toBe('a');
  expect(await found('cmd:re*')).toBe('ab');
  expect(await found('-cmd:reboot')).toBe('bc');
  expect(await found('has:cmd')).toBe('ab');
  expect(await found('cmd:nothing')).toBe('');
});

test('what devices can do is found', async () => {
  expect(await found('can:commands')).toBe('ab');
  expect(await found('can:operations')).toBe('b');
  expect(await found('can:terminal')).toBe('');
  expect(await found('can:operations,terminal or name:c')).toBe('bc');
  expect(await found('-can:commands')).toBe('c');
});

test('devices of an operation are found, and how they stand in it; one of another project has none', async () => {
  expect(await found(`op:${operation}`)).toBe('ab');
  expect(await found(`op:${operation}.failed`)).toBe('a');
  expect(await found(`op:${operation}.pending connected`)).toBe('b');
  expect(await found(`not op:${operation}.failed`)).toBe('bc');
  expect(await found(`op:${absentId('fleetOperation')}`)).toBe('');
  const other = await fleetScene({ database: scene.hub.database });
  const device = await other.addDevice({ isConnected: true });
  const foreign = await other.create({ selector: { predicates: [], deviceIds: [device] } });
  await other.hub.as(other.project.owner, 'fleet_StartOperation', { fleetOperationId: foreign });
  expect(await found(`op:${foreign}`)).toBe('');
  await expect(found('op:7')).rejects.toThrow('write the id of an operation here');
  await expect(found(`op:${operation}.gone`)).rejects.toThrow('write the id of an operation here');
});

test('proved versions are found by their package and by a requirement', async () => {
  const { rows } = await sql<{ name: string }>`select name from packages`.execute(scene.hub.database.db);
  const path = `acme/${rows[0]?.name}`;
  expect(await found(`installed:${path}`)).toBe('a');
  expect(await found(`installed:${path}@"<1.4"`)).toBe('a');
  expect(await found(`installed:"${path}@<1.4" name:a`)).toBe('a');
  expect(await found(`installed:${path}@">=1.4"`)).toBe('');
  expect(await found(`-installed:${path}`)).toBe('bc');
  expect(await found('installed:acme/other')).toBe('');
  await expect(found('installed:acme')).rejects.toThrow('write a repository and a package here');
  await expect(found(`installed:${path}@"<<"`)).rejects.toThrow();
});
