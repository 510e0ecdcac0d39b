import { ids } from '@corral/contract';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { connectDatabase } from '../../../platform/db/connect.ts';
import { deleteSomeUnusedNames } from '../sql/property-names.ts';
import { deviceScene } from '../../../../test/device-scene.ts';
import { seedDevice, seedProject, waitingLocks } from '../../../../test/seed.ts';
import { deleteUnusedPropertyNames } from '../../instance/jobs/upkeep.ts';
import { DeleteUnusedPropertyNames } from '../internal/DeleteUnusedPropertyNames.ts';

const { hub, project, device } = deviceScene();

const rawProject = () => ids.project.raw(project.projectId);
const listed = async (like = '%') => {
  const { rows } = await sql<{ name: string }>`
    select name from project_property_names where project_id = ${rawProject()} and name like ${like} order by name`.execute(
    hub.database.db,
  );
  return rows.map(({ name }) => name);
};
/** Lists names that no device has. */
const list = (count: number) =>
  sql`insert into project_property_names (project_id, name)
    select ${rawProject()}, 'old ' || n from generate_series(1, ${count}) as n`.execute(hub.database.db);
const set = (name: string, value: unknown = 1) =>
  hub.as(device.actor, 'devices_SetDeviceProperty', {
    deviceId: device.deviceId,
    name,
    value: value as never,
  });
const remove = (name: string) =>
  hub.as(device.actor, 'devices_RemoveProperty', { deviceId: device.deviceId, name });
const found = async (filter: string) => {
  const { projectId, owner } = project;
  return (await hub.as(owner, 'projects_QueryProjectDevices', { projectId, filter })).devices.length;
};
const clean = () => deleteUnusedPropertyNames(hub.executor);
/** As if the list had been found full an hour ago. */
const anHourLater = () =>
  sql`update all_projects set property_names_full_at = property_names_full_at - interval '1 hour'`.execute(
    hub.database.db,
  );

test('names that no device of the project has any more are deleted, and others stay', async () => {
  await set('mode');
  await set('old mode');
  await remove('old mode');
  const other = await seedProject(hub);
  const { deviceId, actor } = await seedDevice(hub, other);
  for (const name of ['of another project', 'of both'])
    await hub.as(actor, 'devices_SetDeviceProperty', { deviceId, name, value: 1 });
  await sql`insert into project_property_names (project_id, name) values (${rawProject()}, 'of another project')`.execute(
    hub.database.db,
  );
  await set('of both');
  expect(await listed()).toEqual(['mode', 'of another project', 'of both', 'old mode']);
  await clean();
  expect(await listed()).toEqual(['mode', 'of both']);
  await set('old mode');
  expect(await listed()).toEqual(['mode', 'of both', 'old mode']);
});

test('a long list is looked at in steps, each of its names once', async () => {
  await list(1_200);
  await set('old 700');
  await set('zone');
  const projectId = ids.project.raw(project.projectId);
  const first = await hub.run(DeleteUnusedPropertyNames, { after: { projectId, name: '' } });
  expect(first).toMatchObject({ deletedNames: 500, last: { projectId } });
  expect(await listed()).toHaveLength(701);
  await clean();
  expect(await listed()).toEqual(['old 700', 'zone']);
});

test('a name that many devices have is found with few lookups, and stays where these cannot tell', async () => {
  const { db } = hub.database;
  const other = await seedProject(hub);
  const add = (projectId: string, prefix: string) =>
    sql`insert into devices (device_id, project_id, fingerprint_id, fingerprint_hash, created_at)
      select ${prefix} || n, ${projectId}, ${prefix} || n, '', now() from generate_series(1, 300) as n`.execute(
      db,
    );
  await add(ids.project.raw(other.projectId), 'a');
  await sql`insert into device_properties (device_id, name, value, is_protected, updated_at)
    select 'a' || n, 'mode', '1', false, now() from generate_series(1, 300) as n`.execute(db);
  await sql`insert into project_property_names (project_id, name) values (${rawProject()}, 'mode')`.execute(
    db,
  );
  await clean();
  expect(await listed()).toEqual([]);
  await sql`insert into project_property_names (project_id, name) values (${rawProject()}, 'mode')`.execute(
    db,
  );
  await add(rawProject(), 'z');
  await clean();
  expect(await listed()).toEqual(['mode']);
});

test('a name stays if a transaction that has not ended adds a property of it', async () => {
  await set('mode');
  await remove('mode');
  const adding = await hub.database.db.startTransaction().execute();
  await sql`insert into device_properties (device_id, name, value, is_protected, updated_at)
    values (${ids.device.raw(device.deviceId)}, 'mode', '1', false, now())`.execute(adding);
  await clean();
  await adding.commit().execute();
  expect(await listed()).toEqual(['mode']);
  expect(await found('has:mode')).toBe(1);
});

test('a name that is deleted at the same moment is listed again with its property', async () => {
  await set('mode');
  await remove('mode');
  const db = connectDatabase(hub.database.address, { maxConnections: 2, onIdleError() {} });
  try {
    const deleting = await db.startTransaction().execute();
    expect(await deleteSomeUnusedNames(deleting, undefined)).toMatchObject({ deletedNames: 1 });
    const added = set('mode');
    await vi.waitFor(async () => expect(await waitingLocks(db)).toBe(1));
    await deleting.commit().execute();
    await added;
  } finally {
    await db.destroy();
  }
  expect(await listed()).toEqual(['mode']);
});

test('at most 5,000 names are listed, a filter may name others that devices have, and a cleaned list takes names again', async () => {
  await list(4_999);
  await set('first', { level: 7 });
  await set('second', { level: 7 });
  await set('third.part', { level: 7 });
  expect(await listed()).toHaveLength(5_000);
  expect(await listed('%d')).toEqual([]);
  for (const name of ['first', 'second', 'third.part']) expect(await found(`${name}.level:7`), name).toBe(1);
  await expect(found('fourth:1')).rejects.toThrow('there is no field "fourth"');
  await clean();
  expect(await listed()).toEqual(['first']);
  expect(await found('second.level:7')).toBe(1);
  await set('fifth');
  expect(await listed()).toEqual(['first']);
  await anHourLater();
  await set('sixth');
  expect(await listed()).toEqual(['first', 'sixth']);
  expect(await found('second.level:7')).toBe(1);
});

test('a device that keeps adding names to a full list does not have it counted each time', async () => {
  await list(5_000);
  await set('first');
  const reads = (on: typeof hub.database.db) =>
    sql<{
      rows: number;
    }>`select pg_stat_get_xact_tuples_returned('project_property_names_pkey'::regclass) as rows`
      .execute(on)
      .then(({ rows }) => rows[0]?.rows ?? 0);
  let added = 0;
  const rowsReadByNext = () =>
    hub.database.db.transaction().execute(async (tx) => {
      const before = await reads(tx);
      await sql`insert into device_properties (device_id, name, value, is_protected, updated_at)
        values (${ids.device.raw(device.deviceId)}, ${`next ${(added += 1)}`}, '1', false, now())`.execute(
        tx,
      );
      return (await reads(tx)) - before;
    });
  // That the list is full is not noted while somebody else changes the project, so the next write counts it again.
  await vi.waitFor(async () => expect(await rowsReadByNext()).toBeLessThan(10));
  expect(await listed()).toHaveLength(5_000);
});
