import { ids, type CallInput, type Id } from '@corral/contract';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fleetScene, type FleetScene } from '../../../../test/fleet-scene.ts';
import { seedCatalogue, seedVersion } from '../../../../test/seed-repository.ts';
import { seedProject } from '../../../../test/seed.ts';
import { tickOperations } from '../../operations/jobs/operation-ticks.ts';
import { FleetDriver } from '../jobs/drive-operations.ts';

type Version = Id<'packageVersion'>;
type Operation = Id<'fleetOperation'>;

let scene: FleetScene;
let driver: FleetDriver;
let versions: [Version, Version];
let path: { repository: string; package: string };
beforeEach(async () => {
  scene = await fleetScene();
  driver = new FleetDriver(scene.hub.executor, console, () => scene.hub.now().getTime());
  const { hub, project } = scene;
  const { repositoryId, packageId, versionId, assetId } = await seedCatalogue(hub, { owner: project.owner });
  await hub.as(project.owner, 'projects_AddProjectRepository', {
    projectId: project.projectId,
    repositoryId,
  });
  const second = await seedVersion(hub, project.owner, packageId);
  await hub.as(project.owner, 'repositories_AddPackageVersionAsset', {
    versionId: second,
    assetId,
    filename: 'x',
  });
  versions = [versionId, second];
  const { db } = hub.database;
  await sql`update assets set status = 'Available'`.execute(db);
  for (const [index, id] of versions.entries())
    await sql`update package_versions set name = ${`1.${index}.0`} where version_id = ${ids.packageVersion.raw(id)}`.execute(
      db,
    );
  const { rows } = await sql<
    typeof path
  >`select r.name as repository, p.name as package from packages p join repositories r using (repository_id)
    where package_id = ${ids.package.raw(packageId)}`.execute(db);
  path = rows[0] as typeof path;
});
afterEach(() => scene[Symbol.asyncDispose]());

const settle = async () => {
  for (let round = 0; round < 3; round += 1) {
    scene.hub.advance(30);
    while (await driver.tick());
    await tickOperations(scene.hub.executor);
  }
};
const owner = () => scene.project.owner;
const install = async (versionId: Version, more: Partial<CallInput<'fleet_CreateOperation'>> = {}) => {
  const id = await scene.create({
    name: `Install ${versionId}`,
    steps: [],
    stages: [{ name: 'All' }],
    install: { versionId, recipe: 'property' },
    ...more,
  });
  await scene.hub.as(owner(), 'fleet_StartOperation', { fleetOperationId: id });
  await settle();
  return id;
};
/** As the script of a device does after it has installed what is wanted. */
const report = async (deviceId: Id<'device'>, version: string) => {
  scene.hub.advance(1);
  await scene.hub.as(owner(), 'devices_SetDeviceProperty', {
    deviceId,
    name: 'corral.installed',
    value: { ...path, version },
  });
  await settle();
};
const progressOf = async (fleetOperationId: Operation) => {
  const answer = await scene.hub.as(owner(), 'fleet_GetOperation', { fleetOperationId });
  return answer.result === 'Found'
    ? { status: answer.summary.status, ...answer.summary.progress }
    : undefined;
};
const found = async (filter: string) =>
  (
    await scene.hub.as(owner(), 'projects_QueryProjectDevices', {
      projectId: scene.project.projectId,
      filter,
    })
  ).devices.length;

test('what devices prove while their operation is paused is recorded, and no time runs out', async () => {
  const [device] = [
    await scene.addDevice({ isConnected: true }),
    await scene.addDevice({ isConnected: true }),
  ];
  const id = await install(versions[0]);
  await scene.hub.as(owner(), 'fleet_PauseOperation', { fleetOperationId: id });
  await report(device, '1.0.0');
  const paused = { status: 'Paused', succeeded: 1, running: 1 };
  expect(await progressOf(id)).toMatchObject(paused);
  expect(await found(`installed:"${path.repository}/${path.package}@1.0.0"`)).toBe(1);
  expect(await found(`op:${id}.succeeded`)).toBe(1);
  scene.hub.advance(90_000);
  await settle();
  expect(await progressOf(id)).toMatchObject(paused);
});

test('an install succeeds by its proof alone, is kept, and is undone with the version from before', async () => {
  const device = await scene.addDevice({
    isConnected: true,
    properties: { 'corral.installed': { version: '1.0.0' } },
  });
  const first = await install(versions[0]);
  // What was reported before the install is no proof of it.
  expect(await progressOf(first)).toMatchObject({ status: 'Running', running: 1 });
  await report(device, '1.1.0');
  expect(await progressOf(first)).toMatchObject({ status: 'Running', running: 1 });
  await report(device, '1.0.0');
  expect(await progressOf(first)).toMatchObject({ status: 'Completed', succeeded: 1 });
  expect(await found(`installed:"${path.repository}/${path.package}@<1.1"`)).toBe(1);
  const again = await scene.preview({ steps: [], install: { versionId: versions[0], recipe: 'property' } });
  expect(again.excluded).toMatchObject([{ reason: 'Has this version already', count: 1 }]);
  const next = await scene.preview({ steps: [], install: { versionId: versions[1], recipe: 'property' } });
  const byCommand = await scene.preview({
    steps: [],
    install: { versionId: versions[1], recipe: 'command' },
  });
  expect(byCommand.warnings).toEqual([]);
  expect(next.changes).toEqual([
    { what: `${path.repository}/${path.package}`, from: '1.0.0', to: '1.1.0', count: 1 },
  ]);
  const stages = [{ name: 'Few', percentage: 5, autoAdvance: true, soakSecs: 7200 }, { name: 'All' }];
  const pace = { maxInFlight: 7, pauseOnFailurePercent: 40, deliverWithinSecs: 86_400 };
  const second = await install(versions[1], { stages, ...pace });
  await report(device, '1.1.0');
  expect(await progressOf(second)).toMatchObject({ status: 'Completed' });
  const { fleetOperationId: undo } = await scene.hub.as(owner(), 'fleet_PrepareUndo', {
    fleetOperationId: second,
  });
  expect(await scene.hub.as(owner(), 'fleet_GetOperation', { fleetOperationId: undo })).toMatchObject({
    stages: [{ name: 'Few', percentage: 5, autoAdvance: true }, { name: 'All' }],
    summary: pace,
  });
  expect(await scene.hub.as(owner(), 'fleet_PreviewDraft', { fleetOperationId: undo })).toMatchObject({
    eligible: 1,
    changes: [{ what: `${path.repository}/${path.package}`, from: '1.1.0', to: '1.0.0', count: 1 }],
    stages: [
      { name: 'Few', devices: 1 },
      { name: 'All', devices: 0 },
    ],
  });
  await scene.hub.as(owner(), 'fleet_StartOperation', { fleetOperationId: undo });
  await settle();
  expect(
    await scene.hub.as(owner(), 'devices_GetDeviceProperty', { deviceId: device, name: 'corral.wanted' }),
  ).toMatchObject({
    value: { version: '1.0.0' },
  });
  await report(device, '1.0.0');
  expect(await progressOf(undo)).toMatchObject({ status: 'Completed', succeeded: 1 });
  expect(await found(`installed:"${path.repository}/${path.package}@1.0.0"`)).toBe(1);
});

test('an install supersedes an older one of the same package that waits', async () => {
  await scene.addDevice({ isConnected: false });
  const first = await install(versions[0]);
  const second = await install(versions[1]);
  await settle();
  expect(await progressOf(first)).toMatchObject({ cancelled: 1, status: 'Completed' });
  const { targets } = await scene.hub.as(owner(), 'fleet_QueryOperationTargets', { fleetOperationId: first });
  expect(targets).toMatchObject([{ outcome: 'Superseded', lastError: expect.stringContaining('Install') }]);
  expect(await progressOf(second)).toMatchObject({ pending: 1, status: 'Running' });
});

test('properties are given back as they were, unless they were changed since', async () => {
  const [kept, changed, fresh, removed] = [
    await scene.addDevice({ isConnected: true, properties: { ring: 'stable' } }),
    await scene.addDevice({ isConnected: true, properties: { ring: 'beta' } }),
    await scene.addDevice({ isConnected: true }),
    await scene.addDevice({ isConnected: true, properties: { ring: 'beta' } }),
  ];
  const id = await scene.create({ stages: [{ name: 'All' }] });
  await scene.hub.as(owner(), 'fleet_StartOperation', { fleetOperationId: id });
  await settle();
  scene.hub.advance(1);
  await scene.hub.as(owner(), 'devices_SetDeviceProperty', {
    deviceId: changed,
    name: 'ring',
    value: 'mine',
  });
  await scene.hub.as(owner(), 'devices_RemoveProperty', { deviceId: removed, name: 'ring' });
  const { fleetOperationId: undo } = await scene.hub.as(owner(), 'fleet_PrepareUndo', {
    fleetOperationId: id,
  });
  const previewed = () => scene.hub.as(owner(), 'fleet_PreviewDraft', { fleetOperationId: undo });
  const back = [
    { what: 'ring', from: 'canary', to: 'stable', count: 1 },
    { what: 'ring', from: 'canary', count: 1 },
  ];
  const { eligible, changes, excluded } = await previewed();
  expect({ eligible, excluded }).toEqual({ eligible: 2, excluded: [] });
  expect(changes).toHaveLength(2);
  expect(changes).toEqual(expect.arrayContaining(back));
  await scene.hub.as(owner(), 'fleet_StartOperation', { fleetOperationId: undo });
  expect(
    (await scene.hub.refusal(owner(), 'fleet_PreviewDraft', { fleetOperationId: undo })).message,
  ).toMatch(/is running/);
  await settle();
  scene.hub.advance(700);
  await settle();
  scene.hub.advance(700);
  await settle();
  expect(await progressOf(undo)).toMatchObject({ status: 'Completed', total: 2, succeeded: 2 });
  const ringOf = (deviceId: Id<'device'>) =>
    scene.hub.as(owner(), 'devices_GetDeviceProperty', { deviceId, name: 'ring' });
  expect(await ringOf(kept)).toMatchObject({ value: 'stable' });
  expect(await ringOf(changed)).toMatchObject({ value: 'mine' });
  expect(await ringOf(fresh)).toEqual({ result: 'NotFound' });
  expect(await ringOf(removed)).toEqual({ result: 'NotFound' });
});

test('properties that were removed are given back, and versions that are deleted are not', async () => {
  const device = await scene.addDevice({ isConnected: true, properties: { ring: 'stable' } });
  const run = async (fleetOperationId: Operation) => {
    await scene.hub.as(owner(), 'fleet_StartOperation', { fleetOperationId });
    await settle();
  };
  const remove = { kind: 'RemoveDeviceProperty' as const, name: 'ring' };
  const removal = await scene.create({ stages: [{ name: 'All' }], steps: [remove] });
  await run(removal);
  const { fleetOperationId: undo } = await scene.hub.as(owner(), 'fleet_PrepareUndo', {
    fleetOperationId: removal,
  });
  await run(undo);
  expect(
    await scene.hub.as(owner(), 'devices_GetDeviceProperty', { deviceId: device, name: 'ring' }),
  ).toMatchObject({ value: 'stable' });
  await install(versions[0]);
  await report(device, '1.0.0');
  const second = await install(versions[1]);
  await report(device, '1.1.0');
  const { fleetOperationId: back } = await scene.hub.as(owner(), 'fleet_PrepareUndo', {
    fleetOperationId: second,
  });
  await sql`delete from project_repositories`.execute(scene.hub.database.db);
  const start = { fleetOperationId: back };
  expect((await scene.hub.refusal(owner(), 'fleet_StartOperation', start)).message).toMatch(/no device/);
  expect(
    (await scene.hub.refusal(owner(), 'fleet_PrepareUndo', { fleetOperationId: second })).message,
  ).toMatch(/nothing to undo/);
});

test('a version that the devices cannot fetch, or the caller cannot read, is refused', async () => {
  await scene.addDevice({ isConnected: true });
  const other = await seedProject(scene.hub, 'Other');
  const foreign = await seedCatalogue(scene.hub, { owner: other.owner });
  const refusal = async (versionId: Version) =>
    (
      await scene.hub.refusal(owner(), 'fleet_CreateOperation', {
        projectId: scene.project.projectId,
        name: 'x',
        selector: { query: 'all', predicates: [] },
        stages: [],
        steps: [],
        install: { versionId },
      })
    ).message;
  expect(await refusal(foreign.versionId)).toBe('Version not found.');
  const unlinked = await seedCatalogue(scene.hub, { owner: owner() });
  expect(await refusal(unlinked.versionId)).toMatch(/link its repository with the project/);
});
