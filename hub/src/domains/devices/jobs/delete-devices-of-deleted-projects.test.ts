import { ids, type Id } from '@corral/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anonymous, freshExecutor, type FreshExecutor } from '../../../../test/fresh-executor.ts';
import { seedChange } from '../../../../test/seed-change.ts';
import { seedDevice, seedMember, seedProject, seedToken, seedUser } from '../../../../test/seed.ts';
import { connectSql } from '../../../platform/db/connect.ts';
import { ensureJobsSchema, jobsSchema } from '../../../platform/db/jobs-schema.ts';
import { deleteSomeDevicesOfDeletedProjects } from '../../projects/sql/deleted-project-devices.ts';
import { deleteDevicesOfDeletedProjects, deviceDeletionJobs } from './delete-devices-of-deleted-projects.ts';
import { startJobs } from '../../../platform/jobs/start-jobs.ts';
import { CleanupInactiveClusterNodes } from '../../instance/internal/CleanupInactiveClusterNodes.ts';

let hub: FreshExecutor;
beforeAll(async () => void (hub = await freshExecutor()));
afterAll(() => hub[Symbol.asyncDispose]());

/** Writes devices with everything that a device has, directly. */
async function addDevices(projectId: Id<'project'>, prefix: string, count: number): Promise<void> {
  const rows = sql`from generate_series(1, ${count}) as n`;
  const id = sql`${prefix} || n`;
  await sql`
    insert into devices (device_id, project_id, fingerprint_id, fingerprint_hash, enrolled_by, created_at)
      select ${id}, ${ids.project.raw(projectId)}, ${id}, '', 'token', now() ${rows}`.execute(
    hub.database.db,
  );
  for (const statement of [
    sql`insert into device_certificates (certificate_id, device_id, fingerprint, status, created_at)
      select ${id}, ${id}, ${id}, 'Pending', now() ${rows}`,
    sql`insert into device_connections (connection_id, device_id, node_id, connected_at)
      select ${id}, ${id}, 'node', now() ${rows}`,
    sql`insert into device_properties (device_id, name, value, is_protected, updated_at)
      select ${id}, 'dev.nexigon.system.info', '{"hostname":"pump"}', false, now() ${rows}`,
    sql`insert into removed_device_properties (device_id, name, version, removed_at) select ${id}, 'mode', 7, now() ${rows}`,
    sql`insert into device_labels (device_id, labels) select ${id}, '{"site":"munich"}' ${rows}`,
    sql`insert into device_event_days (device_id, day, events, event_bytes) select ${id}, now(), 1, 10 ${rows}`,
    sql`insert into device_events (device_id, event_month, event_id, severity, body, attributes, emitted_at, received_at)
      select ${id}, 202611, '20261120-1159-AAAAAAAA', 'Info', '1', '{}', now(), now() ${rows}`,
  ])
    await statement.execute(hub.database.db);
}

/** How many rows each table has, by name, of those with a column of this name and a value that begins so. */
async function rowsWith(column: string, prefix: string): Promise<Record<string, number>> {
  const { rows } = await sql<{ name: string; count: number }>`
    select c.table_name as name, (xpath('//count/text()', query_to_xml(format(
      'select count(*) as count from %I where %I like %L', c.table_name, c.column_name, ${`${prefix}%`}::text), false, true, '')))[1]::text::int as count
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and c.column_name = ${column} and t.table_type = 'BASE TABLE'
      and c.table_name !~ '^(audit|device_events_)'`.execute(hub.database.db);
  return Object.fromEntries(rows.filter(({ count }) => count > 0).map(({ name, count }) => [name, count]));
}

const drain = () => deleteSomeDevicesOfDeletedProjects(hub.database.db);

test('a deleted project is gone for everybody before its devices are', async () => {
  const project = await seedProject(hub);
  const { projectId, owner } = project;
  const member = await seedMember(hub, project);
  const admin = await seedUser(hub, 'root@example.org', true);
  const token = await seedToken(hub, project);
  const { deviceId, actor } = await seedDevice(hub, project);
  await addDevices(projectId, 'hidden-', 3);
  await hub.as(owner, 'projects_InviteProjectMember', { projectId, email: 'zoe@example.org' });
  await sql`insert into cluster_nodes (node_id, joined_at, lease_until, last_heartbeat_at)
    values ('node', now(), ${new Date(hub.now().getTime() + 10_000)}, now())`.execute(hub.database.db);
  const counts = async () => {
    const { devices } = await hub.as(admin, 'devices_QueryDevices', {});
    const instance = await hub.as(admin, 'instance_GetInstanceStatistics', {});
    const { nodes } = await hub.as(admin, 'cluster_GetClusterDetails', {});
    return { devices: devices.length, instance, open: nodes.map(({ connections }) => connections) };
  };
  expect(await counts()).toMatchObject({
    devices: 4,
    instance: { projects: 1, devices: 4, connectedDevices: 3 },
    open: [3],
  });

  await hub.as(owner, 'projects_DeleteProject', { projectId });
  expect(await rowsWith('device_id', 'hidden-')).toMatchObject({ all_devices: 3, device_properties: 3 });
  expect(await counts()).toMatchObject({
    devices: 0,
    instance: { projects: 0, devices: 0, connectedDevices: 0 },
    open: [0],
  });
  for (const someone of [owner, member, admin]) {
    for (const [name, input, message] of [
      ['projects_GetProjectDetails', { projectId }, 'Project not found.'],
      ['projects_QueryProjectDevices', { projectId }, 'Project not found.'],
      ['devices_GetDeviceDetails', { deviceId }, 'Device not found.'],
      ['devices_QueryDeviceEvents', { deviceId }, 'Device not found.'],
      ['devices_QueryDeviceProperties', { deviceId }, 'Device not found.'],
      ['devices_IssueDeviceHttpProxyToken', { deviceId, port: 80 }, 'Device not found.'],
      ['devices_DeleteDevice', { deviceId }, 'Device not found.'],
      ['projects_DeleteDeploymentToken', { tokenId: token.tokenId }, 'Deployment token not found.'],
    ] as const)
      expect((await hub.refusal(someone, name, input)).message, name).toBe(message);
    const { projects } = await hub.as(someone, 'projects_QueryProjects', {});
    expect(projects).toEqual([]);
  }
  for (const name of ['devices_GetDeviceDetails', 'devices_QueryDeviceProperties'] as const)
    expect((await hub.refusal(actor, name, { deviceId })).message).toBe('Device not found.');
  const sent = { deviceId, name: 'mode', value: 1 };
  expect((await hub.refusal(actor, 'devices_SetDeviceProperty', sent)).message).toBe('Device not found.');
  expect((await hub.refusal(anonymous, 'devices_GetDeviceDetails', { deviceId })).kind).toBe('NotSignedIn');

  await deleteDevicesOfDeletedProjects(hub.executor);
  expect(await rowsWith('device_id', 'hidden-')).toEqual({});
  expect(await rowsWith('device_id', ids.device.raw(deviceId))).toEqual({});
  await hub.run(CleanupInactiveClusterNodes);
  expect(await rowsWith('project_id', ids.project.raw(projectId))).toEqual({});
});

test('steps are bounded, several nodes share them, and only devices of deleted projects go', async () => {
  const [gone, kept] = [await seedProject(hub), await seedProject(hub)];
  await addDevices(gone.projectId, 'gone-', 620);
  await addDevices(kept.projectId, 'kept-', 2);
  await hub.as(gone.owner, 'projects_DeleteProject', { projectId: gone.projectId });
  expect(await drain()).toEqual({ deletedDevices: 250, isComplete: false });
  expect((await rowsWith('device_id', 'gone-'))['all_devices']).toBe(370);
  await Promise.all([
    deleteDevicesOfDeletedProjects(hub.executor),
    deleteDevicesOfDeletedProjects(hub.executor),
  ]);
  expect(await rowsWith('device_id', 'gone-')).toEqual({});
  expect(await rowsWith('device_id', 'kept-')).toMatchObject({ all_devices: 2, device_events: 2 });
  expect(await drain()).toEqual({ deletedDevices: 0, isComplete: true });
  expect(await hub.as(kept.owner, 'projects_GetProjectDetails', kept)).toMatchObject({ deviceCount: 2 });
});

test('the names of properties that were listed for a deleted project go step by step, too', async () => {
  const project = await seedProject(hub);
  const rawId = ids.project.raw(project.projectId);
  await sql`insert into project_property_names (project_id, name) select ${rawId}, 'old ' || n from generate_series(1, 12000) as n`.execute(
    hub.database.db,
  );
  const left = async () => {
    const { project_property_names: names, all_projects: projects } = await rowsWith('project_id', rawId);
    return { names, projects };
  };
  await hub.as(project.owner, 'projects_DeleteProject', { projectId: project.projectId });
  expect(await left()).toEqual({ names: 12_000, projects: 1 });
  expect(await drain()).toEqual({ deletedDevices: 0, isComplete: false });
  expect(await left()).toEqual({ names: 7_000, projects: 1 });
  await deleteDevicesOfDeletedProjects(hub.executor);
  expect(await left()).toEqual({});
});

test('the results of changes of a deleted project go step by step, too', async () => {
  const project = await seedProject(hub);
  const rawId = ids.project.raw(project.projectId);
  const jobId = await seedChange(hub, project, (await seedDevice(hub, project)).deviceId);
  const changeId = ids.fleetJob.raw(jobId);
  await sql`insert into fleet_change_devices (change_id, device_id) select ${changeId}, 'gone ' || n from generate_series(1, 11999) as n`.execute(
    hub.database.db,
  );
  const left = async () => {
    const { fleet_change_devices: results } = await rowsWith('change_id', changeId);
    return {
      results,
      projects: (await rowsWith('project_id', rawId))['all_projects'],
    };
  };
  await hub.as(project.owner, 'projects_DeleteProject', {
    projectId: project.projectId,
  });
  expect(await drain()).toEqual({ deletedDevices: 1, isComplete: false });
  expect(await left()).toEqual({ results: 7_000, projects: 1 });
  expect(await drain()).toEqual({ deletedDevices: 0, isComplete: false });
  expect(await left()).toEqual({ results: 2_000, projects: 1 });
  await deleteDevicesOfDeletedProjects(hub.executor);
  expect(await left()).toEqual({});
});

test('a device that is being enrolled while its project is deleted leaves nothing either', async () => {
  const project = await seedProject(hub);
  const late = hub.database.db.transaction().execute(async (tx) => {
    await sql`insert into devices (device_id, project_id, fingerprint_id, fingerprint_hash, created_at)
      values ('late', ${ids.project.raw(project.projectId)}, 'late', '', now())`.execute(tx);
    await hub.as(project.owner, 'projects_DeleteProject', { projectId: project.projectId });
  });
  await late;
  expect(await rowsWith('device_id', 'late')).toEqual({ all_devices: 1, device_texts: 1 });
  await deleteDevicesOfDeletedProjects(hub.executor);
  expect(await rowsWith('device_id', 'late')).toEqual({});
});

test('the job is queued after a deletion, shows what is left to do, and does it', async () => {
  const admin = await seedUser(hub, 'ada@example.org', true);
  const project = await seedProject(hub);
  await addDevices(project.projectId, 'queued-', 5);
  await hub.as(project.owner, 'projects_DeleteProject', { projectId: project.projectId });
  await ensureJobsSchema(hub.database.db);
  const db = connectSql(hub.database.address, { maxConnections: 2, onIdleError() {} });
  const intervals = { pollSecs: 1, lostAfterSecs: 10, superviseSecs: 1, retrySecs: 1 };
  const log = { warn: (fields: object) => expect.fail(JSON.stringify(fields)) };
  const [job] = deviceDeletionJobs(hub.executor);
  const begun = Promise.withResolvers<void>();
  const jobs = await startJobs({
    db,
    schema: jobsSchema,
    jobs: [{ ...job!, cron: '0 0 1 1 *', run: (ending) => begun.promise.then(() => job!.run(ending)) }],
    log,
    intervals,
  });
  const listed = async () => (await hub.as(admin, 'jobs_QueryJobs', {})).jobs;
  try {
    await Promise.all([jobs.runSoon(job!.name), jobs.runSoon(job!.name)]);
    const { name } = job!;
    expect(await listed()).toEqual([expect.objectContaining({ job: name, status: 'Pending', remaining: 5 })]);
    begun.resolve();
    await expect.poll(listed).toMatchObject([{ job: name, status: 'Completed' }]);
    expect((await listed())[0]).not.toHaveProperty('remaining');
    expect(await rowsWith('device_id', 'queued-')).toEqual({});
  } finally {
    begun.resolve();
    await jobs.stop();
    await db.close();
  }
});
