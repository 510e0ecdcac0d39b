import { ids, type CallInput, type Id } from '@corral/contract';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fleetScene, ringOperation, type FleetScene } from '../../../../test/fleet-scene.ts';
import { absentId } from '../../../../test/fresh-executor.ts';
import { seedCatalogue } from '../../../../test/seed-repository.ts';
import { DrainDeletedProjects } from '../../projects/internal/DrainDeletedProjects.ts';
import { tickOperations } from '../../operations/jobs/operation-ticks.ts';
import { FleetDriver } from '../jobs/drive-operations.ts';

let scene: FleetScene;
let driver: FleetDriver;
beforeEach(async () => {
  scene = await fleetScene();
  driver = new FleetDriver(
    scene.hub.executor,
    { warn: (fields) => expect.fail(JSON.stringify(fields)) },
    () => scene.hub.now().getTime(),
  );
});
afterEach(() => scene[Symbol.asyncDispose]());

type Operation = Id<'fleetOperation'>;
const owner = () => scene.project.owner;
const start = (fleetOperationId: Operation) =>
  scene.hub.as(owner(), 'fleet_StartOperation', { fleetOperationId });
const summaryOf = async (fleetOperationId: Operation) => {
  const answer = await scene.hub.as(owner(), 'fleet_GetOperation', { fleetOperationId });
  return answer.result === 'Found' ? answer.summary : undefined;
};
const settle = async (seconds = 30) => {
  for (let round = 0; round < 3; round += 1) {
    scene.hub.advance(seconds);
    await tickOperations(scene.hub.executor);
    while (await driver.tick());
  }
};
const oneStage = [{ name: 'All' }];
const command = { kind: 'DeviceCommand' as const, command: 'touch', input: null };
const waitFor = (name: string) => ({
  kind: 'WaitForDeviceProperty' as const,
  predicate: {
    kind: 'Equals' as const,
    left: { kind: 'NamedValue' as const, name },
    right: { kind: 'Literal' as const, value: true },
  },
});
const addTouching = () => scene.addDevice({ isConnected: true, commands: [{ name: 'touch' }] });
const claim = async (deviceId: Id<'device'>) => {
  const actor = {
    actor: 'Device',
    kind: 'Device',
    deviceId,
    tokenId: absentId('deploymentTokenId'),
  } as const;
  const { work } = await scene.hub.as(actor, 'devices_ClaimOperationWork', { deviceId });
  const [item] = work;
  return {
    item,
    report: async (status: 'Succeeded' | 'Failed') => {
      const { deviceOperationId, stepIndex, claimId } = item ?? expect.fail('nothing was handed out');
      const report = { status, ...(status === 'Failed' ? { error: 'broken' } : {}) };
      await scene.hub.as(actor, 'devices_ReportOperationStep', {
        deviceId,
        deviceOperationId,
        stepIndex,
        claimId,
        report,
      });
    },
  };
};
/** What the jobs do for what was deleted. */
const drain = async () => {
  while (!(await scene.hub.run(DrainDeletedProjects)).isComplete);
};
const fromAll = (more: Partial<CallInput<'fleet_CreateOperation'>> = {}) => ({
  stages: oneStage,
  enrollmentIntervalSecs: 60,
  closeWhenConverged: false,
  ...more,
});

test('an operation whose devices are all deleted ends', async () => {
  const devices = [await addTouching(), await addTouching()];
  const id = await scene.create({ steps: [command], stages: oneStage, maxInFlight: 1 });
  await start(id);
  await settle();
  for (const deviceId of devices) await scene.hub.as(owner(), 'devices_DeleteDevice', { deviceId });
  await settle();
  await drain();
  await settle();
  expect(await summaryOf(id)).toMatchObject({ status: 'Completed', progress: { total: 0, running: 0 } });
});

test('a project that is deleted while its operations run leaves nothing that goes on', async () => {
  const device = await addTouching();
  const id = await scene.create({ steps: [command], stages: oneStage });
  await start(id);
  await settle();
  const taken = await claim(device);
  await scene.hub.as(owner(), 'projects_DeleteProject', { projectId: scene.project.projectId });
  await settle();
  await taken.report('Succeeded').catch(() => undefined);
  await drain();
  await settle();
  const { rows } = await sql`
    select (select count(*) from fleet_operations) as fleets, (select count(*) from device_operations) as operations,
      (select count(*) from device_operation_steps) as steps, (select count(*) from operation_events) as events`.execute(
    scene.hub.database.db,
  );
  expect(rows).toEqual([{ fleets: 0, operations: 0, steps: 0, events: 0 }]);
});

test('an operation goes on without the member who began it', async () => {
  await scene.addDevices(3);
  const { hub, member, project } = scene;
  const { projectId } = project;
  const given = { projectId, ...ringOperation, stages: [{ name: 'Half', percentage: 50 }, { name: 'All' }] };
  const { fleetOperationId } = await hub.as(member, 'fleet_CreateOperation', given);
  await hub.as(member, 'fleet_StartOperation', { fleetOperationId });
  await settle();
  await hub.as(owner(), 'projects_RemoveProjectMember', { projectId, userId: member.userId });
  const pause = await hub.refusal(member, 'fleet_PauseOperation', { fleetOperationId });
  expect(pause.message).toBe('Operation not found.');
  await hub.as(owner(), 'fleet_AdvanceOperationStage', { fleetOperationId });
  await settle();
  expect(await summaryOf(fleetOperationId)).toMatchObject({
    status: 'Completed',
    progress: { succeeded: 3 },
    createdBy: member,
  });
});

describe('an install', () => {
  const begin = async () => {
    const { hub, project } = scene;
    const { repositoryId, versionId } = await seedCatalogue(hub, { owner: owner() });
    await hub.as(owner(), 'projects_AddProjectRepository', { projectId: project.projectId, repositoryId });
    const { db } = hub.database;
    await sql`update assets set status = 'Available'`.execute(db);
    await sql`update package_versions set name = '1.0.0'`.execute(db);
    const device = await scene.addDevice({ isConnected: true });
    const id = await scene.create({ steps: [], install: { versionId, recipe: 'property' }, ...fromAll() });
    await start(id);
    await settle(1);
    const prove = async () => {
      hub.advance(1);
      const { rows } = await sql<{ repository: string; package: string; version: string }>`
        select w.value ->> 'repository' as repository, w.value ->> 'package' as package, w.value ->> 'version' as version
        from device_properties w where w.name = 'corral.wanted'`.execute(db);
      const value = rows[0] ?? expect.fail('nothing is wanted');
      await hub.as(owner(), 'devices_SetDeviceProperty', {
        deviceId: device,
        name: 'corral.installed',
        value: { ...value },
      });
      await settle(1);
    };
    return { id, repositoryId, versionId, prove };
  };
  const installs = async () =>
    (await sql`select 1 from device_installs`.execute(scene.hub.database.db)).rows.length;

  test('whose version is deleted goes on where it began, and lets no further device join', async () => {
    const { id, versionId, prove } = await begin();
    await scene.hub.as(owner(), 'repositories_DeletePackageVersion', { versionId });
    await prove();
    expect(await summaryOf(id)).toMatchObject({ status: 'Running', progress: { succeeded: 1 } });
    expect(await installs()).toBe(0);
    await scene.addDevice({ isConnected: true });
    await settle(61);
    expect(await summaryOf(id)).toMatchObject({
      status: 'Paused',
      progress: { total: 1 },
      pauseReason: expect.stringMatching(/The version is deleted/),
    });
  });

  test('whose repository is unlinked goes on where it began, and lets no further device join', async () => {
    const { id, repositoryId, prove } = await begin();
    const { projectId } = scene.project;
    await scene.hub.as(owner(), 'projects_RemoveProjectRepository', { projectId, repositoryId });
    await prove();
    expect(await installs()).toBe(1);
    await scene.addDevice({ isConnected: true });
    await settle(61);
    expect(await summaryOf(id)).toMatchObject({
      status: 'Paused',
      progress: { total: 1, succeeded: 1 },
      pauseReason: expect.stringMatching(/can no longer fetch it/),
    });
  });
});

describe('devices that join later', () => {
  test('do not pass those that wait', async () => {
    const waiting = [await addTouching(), await addTouching()];
    const id = await scene.create({ steps: [command], maxInFlight: 1, ...fromAll() });
    await start(id);
    await settle(1);
    const late = [await addTouching(), await addTouching()];
    await settle(61);
    const order: Id<'device'>[] = [];
    while (order.length < 4) {
      await settle(1);
      for (const deviceId of [...late, ...waiting]) {
        const taken = await claim(deviceId);
        if (taken.item === undefined) continue;
        order.push(deviceId);
        await taken.report('Succeeded');
      }
    }
    expect(new Set(order.slice(0, 2))).toEqual(new Set(waiting));
    expect(await summaryOf(id)).toMatchObject({ progress: { total: 4, succeeded: 4 } });
  });

  test('keep no later stage waiting', async () => {
    const devices = await scene.addDevices(40);
    const stages = [{ name: 'Most', percentage: 95, autoAdvance: true }, { name: 'All' }];
    const id = await scene.create({ steps: [waitFor('go')], maxInFlight: 100, ...fromAll({ stages }) });
    await start(id);
    await settle(1);
    // At least one of these joins the first stage, where it waits for ever.
    await scene.addDevices(5);
    await settle(61);
    const raw = devices.map((deviceId) => ids.device.raw(deviceId));
    await sql`insert into device_properties (device_id, name, value, is_protected, updated_at)
      select device_id, 'go', 'true', false, now() from unnest(${raw}::text[]) as d(device_id)`.execute(
      scene.hub.database.db,
    );
    await settle(61);
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from device_operations where status = 'Running' and stage_index = 0`.execute(
      scene.hub.database.db,
    );
    expect(rows[0]?.count).toBeGreaterThan(0);
    expect(await summaryOf(id)).toMatchObject({
      status: 'Running',
      activeStageIndex: 1,
      progress: { total: 45, succeeded: 40 },
    });
  });

  test('have the secrets of their commands masked', async () => {
    await addTouching();
    const input = { password: 'hunter2' };
    const id = await scene.create({ steps: [{ ...command, input }], ...fromAll() });
    await start(id);
    await settle(1);
    const steps = async () => {
      const found = await scene.hub.as(owner(), 'fleet_GetOperation', { fleetOperationId: id });
      return found.result === 'Found' ? found.steps : [];
    };
    expect(await steps()).toMatchObject([{ input }]);
    const schema = { properties: { password: { writeOnly: true } } };
    await scene.addDevice({ isConnected: true, commands: [{ name: 'touch', input: schema }] });
    await settle(61);
    await settle(61);
    expect(await summaryOf(id)).toMatchObject({ progress: { total: 2 } });
    expect(await steps()).toMatchObject([{ input: { password: '***' } }]);
  });
});

test('what a retried operation changed is taken back to what was there before its first attempt', async () => {
  const device = await addTouching();
  const set = (value: string) =>
    scene.hub.as(owner(), 'devices_SetDeviceProperty', { deviceId: device, name: 'ring', value });
  await set('old');
  const id = await scene.create({ steps: [...ringOperation.steps, command], stages: oneStage });
  await start(id);
  await settle(1);
  await (await claim(device)).report('Failed');
  await settle(1);
  await scene.hub.as(owner(), 'fleet_RetryOperation', { fleetOperationId: id, which: ['Failed'] });
  await settle(1);
  await (await claim(device)).report('Succeeded');
  await settle(1);
  const { fleetOperationId: undo } = await scene.hub.as(owner(), 'fleet_PrepareUndo', {
    fleetOperationId: id,
  });
  await start(undo);
  await settle(1);
  const of = { deviceId: device, name: 'ring' };
  expect(await scene.hub.as(owner(), 'devices_GetDeviceProperty', of)).toMatchObject({ value: 'old' });
});

test('a cancel of many devices goes on in portions, and ends with each of them', async () => {
  await scene.addDevices(6_001);
  const id = await scene.create({
    steps: [waitFor('never')],
    stages: oneStage,
    maxInFlight: 120,
  });
  await start(id);
  await settle(1);
  expect(await summaryOf(id)).toMatchObject({ progress: { running: 120, pending: 5_881 } });
  await scene.hub.as(owner(), 'fleet_CancelOperation', { fleetOperationId: id });
  await settle(1);
  expect(await summaryOf(id)).toMatchObject({
    status: 'Cancelled',
    completedAt: expect.any(String),
    progress: { total: 6_001, cancelled: 6_001, running: 0, pending: 0 },
  });
  const { rows } = await sql`
    select count(*) filter (where kind = 'Started') as started, count(*) filter (where kind = 'Cancelled') as cancelled
    from operation_events where device_operation_id is not null`.execute(scene.hub.database.db);
  expect(rows).toEqual([{ started: 120, cancelled: 120 }]);
});
