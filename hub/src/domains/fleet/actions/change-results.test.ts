import { ids, type CallInput, type Id } from '@corral/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fleetScene, type FleetScene } from '../../../../test/fleet-scene.ts';
import type { Somebody } from '../../../../test/seed.ts';
import { goOnWithChanges } from '../jobs/go-on-with-changes.ts';
import { PruneOperations } from '../internal/PruneOperations.ts';

let scene: FleetScene;
beforeAll(async () => {
  scene = await fleetScene();
});
afterAll(() => scene[Symbol.asyncDispose]());

const log = {
  warn(fields: unknown, message: string) {
    throw new Error(message, { cause: fields });
  },
};
const preview = (
  input: Omit<CallInput<'fleet_PreviewChange'>, 'projectId'>,
  actor: Somebody = scene.project.owner,
) => scene.hub.as(actor, 'fleet_PreviewChange', { projectId: scene.project.projectId, ...input });
async function begin(
  input: Omit<CallInput<'fleet_PreviewChange'>, 'projectId'>,
  actor: Somebody = scene.project.owner,
): Promise<Id<'fleetJob'>> {
  const { previewHash } = await preview(input, actor);
  const { projectId } = scene.project;
  return (await scene.hub.as(actor, 'fleet_ApplyChange', { projectId, ...input, previewHash })).jobId;
}
async function finish(jobId: Id<'fleetJob'>) {
  while (await goOnWithChanges({ executor: scene.hub.executor, log }));
  return {
    change: await scene.hub.as(scene.project.owner, 'fleet_GetChange', { jobId }),
    results: (await scene.hub.as(scene.project.owner, 'fleet_QueryChangeResults', { jobId })).results,
  };
}
const metadataOf = async (deviceId: Id<'device'>) =>
  (await scene.hub.as(scene.project.owner, 'devices_GetDeviceDetails', { deviceId })).metadata;
const setMetadata = (deviceId: Id<'device'>, metadata: object) =>
  scene.hub.as(scene.project.owner, 'devices_SetDeviceMetadata', { deviceId, metadata: metadata as never });

test('a label that a device reports is its own again when a change of it is taken back', async () => {
  const [reporting, people] = [await scene.addDevice({}), await scene.addDevice({})];
  const report = (deviceId: Id<'device'>, metadata: object) =>
    scene.hub.as({ actor: 'Device', deviceId } as never, 'devices_SetDeviceMetadata', {
      deviceId,
      metadata: metadata as never,
    });
  await report(reporting, { site: 'hall 1' });
  await setMetadata(people, { site: 'hall 1' });
  const deviceIds = [reporting, people];
  for (const change of [
    { kind: 'SetLabel', name: 'site', value: 'hall 2' },
    { kind: 'RemoveLabel', name: 'site' },
  ] as const) {
    const jobId = await begin({ deviceIds, change });
    await finish(jobId);
    const undo = await scene.hub.as(scene.project.owner, 'fleet_UndoChange', {
      jobId,
    });
    expect((await finish(undo.jobId)).change).toMatchObject({
      done: 2,
      failed: 0,
    });
    expect([await metadataOf(reporting), await metadataOf(people)]).toEqual([
      { site: 'hall 1' },
      { site: 'hall 1' },
    ]);
  }
  await report(reporting, { site: 'hall 3' });
  await report(people, { site: 'hall 3' });
  expect(await metadataOf(reporting)).toEqual({ site: 'hall 3' });
  expect(await metadataOf(people)).toEqual({ site: 'hall 1' });
});

test('a label that is an integer beyond the range of doubles is changed and comes back exactly', async () => {
  const device = await scene.addDevice({});
  const metadata = () =>
    sql<{
      text: string;
    }>`select metadata::text as text from devices where device_id = ${ids.device.raw(device)}`
      .execute(scene.hub.database.db)
      .then(({ rows }) => rows[0]?.text);
  await sql`update devices set metadata = '{"serial": 9007199254740993}' where device_id = ${ids.device.raw(device)}`.execute(
    scene.hub.database.db,
  );
  const jobId = await begin({
    deviceIds: [device],
    change: { kind: 'SetLabel', name: 'serial', value: 'x' },
  });
  expect((await finish(jobId)).change).toMatchObject({ done: 1, failed: 0 });
  expect(await metadata()).toBe('{"serial": "x"}');
  await finish((await scene.hub.as(scene.project.owner, 'fleet_UndoChange', { jobId })).jobId);
  expect(await metadata()).toBe('{"serial": 9007199254740993}');
});

test('a project keeps its newest hundred changes', async () => {
  const device = await scene.addDevice({});
  const jobId = await begin({
    deviceIds: [device],
    change: { kind: 'SetLabel', name: 'ring', value: 'canary' },
  });
  await finish(jobId);
  await sql`
    insert into fleet_changes (change_id, project_id, change, total, created_by, created_at, completed_at)
    select 'later' || n, project_id, change, 0, created_by, created_at + interval '1 s', completed_at
    from fleet_changes, generate_series(1, 100) n where change_id = ${ids.fleetJob.raw(jobId)}`.execute(
    scene.hub.database.db,
  );
  while ((await scene.hub.run(PruneOperations)).deleted > 0);
  await expect(scene.hub.as(scene.member, 'fleet_GetChange', { jobId })).rejects.toThrow('Change not found.');
  const { rows } =
    await sql`select 1 from fleet_change_devices where change_id = ${ids.fleetJob.raw(jobId)}`.execute(
      scene.hub.database.db,
    );
  expect(rows).toEqual([]);
});

test('a project keeps the results of two million devices, and a change that is being deleted is absent', async () => {
  const devices = await scene.addDevices(2);
  const begun = async (value: string) => {
    const jobId = await begin({
      deviceIds: devices,
      change: { kind: 'SetLabel', name: 'bound', value },
    });
    await finish(jobId);
    return jobId;
  };
  const [old, latest] = [await begun('a'), await begun('b')];
  const { db } = scene.hub.database;
  await sql`update fleet_changes set total = 1500000, created_at = created_at + case change_id
      when ${ids.fleetJob.raw(old)} then interval '1 h' else interval '2 h' end
    where change_id in (${ids.fleetJob.raw(old)}, ${ids.fleetJob.raw(latest)})`.execute(db);
  await sql`
    insert into fleet_change_devices (change_id, device_id, status)
    select ${ids.fleetJob.raw(old)}, 'more' || n, 'Done' from generate_series(1, 2000) n`.execute(db);
  const left = async () => {
    const { rows } =
      await sql`select 1 from fleet_change_devices where change_id = ${ids.fleetJob.raw(old)}`.execute(db);
    return rows.length;
  };
  while ((await left()) === 2002) expect(await scene.hub.run(PruneOperations)).toEqual({ deleted: 1 });
  expect(await left()).toBe(2);
  for (const name of ['fleet_GetChange', 'fleet_UndoChange', 'fleet_QueryChangeResults'] as const)
    await expect(scene.hub.as(scene.member, name, { jobId: old })).rejects.toThrow('Change not found.');
  while ((await scene.hub.run(PruneOperations)).deleted > 0);
  expect(await left()).toBe(0);
  expect(await scene.hub.as(scene.member, 'fleet_GetChange', { jobId: latest })).toMatchObject({ done: 2 });
});
