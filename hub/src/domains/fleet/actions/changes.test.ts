import { ids, type CallInput, type Id } from '@corral/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fleetScene, type FleetScene } from '../../../../test/fleet-scene.ts';
import { newCertificate, seedDevice, seedProject, type Somebody } from '../../../../test/seed.ts';
import { goOnWithChanges } from '../jobs/go-on-with-changes.ts';
import { GoOnWithChange } from '../internal/GoOnWithChange.ts';

type Change = CallInput<'fleet_PreviewChange'>['change'];

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
const nameOf = async (deviceId: Id<'device'>) =>
  (await scene.hub.as(scene.project.owner, 'devices_GetDeviceDetails', { deviceId })).name;
const setMetadata = (deviceId: Id<'device'>, metadata: object) =>
  scene.hub.as(scene.project.owner, 'devices_SetDeviceMetadata', { deviceId, metadata: metadata as never });
const events = async (deviceId: Id<'device'>) => {
  const { rows } = await sql<{ event: string; actor: { userId?: string } }>`
    select e.event, e.actor from audit_events e join audit_event_entities t using (event_id)
    where t.entity_kind = 'device' and t.entity_id = ${ids.device.raw(deviceId)} order by e.created_at`.execute(
    scene.hub.database.db,
  );
  return rows.map(({ event, actor }) => [event, actor.userId]);
};

test('a label is previewed, set on each device for the person who asked, and taken back', async () => {
  const [bare, other, same, list] = await Promise.all(
    ['a', 'b', 'c', 'd'].map((name) => scene.addDevice({ name })),
  );
  await setMetadata(other!, { site: 'south', keep: [1] });
  await setMetadata(same!, { site: 'north' });
  await setMetadata(list!, { site: ['x'] });
  const deviceIds = [bare!, other!, same!, list!];
  const change: Change = { kind: 'SetLabel', name: ' site ', value: ' north ' };
  const seen = await preview({ deviceIds, change });
  expect(seen).toMatchObject({ matched: 4, eligible: 2, needsOwner: false, undoable: true });
  expect(seen.samples).toEqual([
    { deviceId: bare, deviceName: 'a', after: 'north' },
    { deviceId: other, deviceName: 'b', before: 'south', after: 'north' },
  ]);
  expect(seen.excluded.map(({ reason, count }) => [reason, count])).toEqual([
    ['It has a list or an object under this name, which is changed in its metadata.', 1],
    ['It has this value already.', 1],
  ]);
  const jobId = await begin({ deviceIds, change }, scene.member);
  const { change: done, results } = await finish(jobId);
  expect(done).toMatchObject({ total: 2, done: 2, failed: 0, undoable: true });
  expect(done.completedAt).toBeDefined();
  expect(results.map(({ status }) => status)).toEqual(['Done', 'Done']);
  expect(await metadataOf(other!)).toEqual({ site: 'north', keep: [1] });
  expect(await events(bare!)).toEqual([['devices_LabelChanged', scene.member.userId]]);

  await scene.hub.as(scene.project.owner, 'devices_SetDeviceLabel', {
    deviceId: bare!,
    name: 'site',
    value: 'west',
  });
  const undo = await scene.hub.as(scene.member, 'fleet_UndoChange', { jobId });
  const undone = await finish(undo.jobId);
  expect(undone.change).toMatchObject({ undoes: jobId, total: 2, done: 1, failed: 1 });
  expect(undone.results.find(({ status }) => status === 'Failed')).toMatchObject({
    deviceId: bare,
    reason: 'It was changed since: it is "west" now.',
  });
  expect(await metadataOf(other!)).toEqual({ site: 'south', keep: [1] });
  expect(await metadataOf(bare!)).toEqual({ site: 'west' });
});

test('a removed label comes back where it was, and devices without it are left out', async () => {
  const [has, hasNot] = [await scene.addDevice({}), await scene.addDevice({})];
  await setMetadata(has, { floor: 3 });
  const change: Change = { kind: 'RemoveLabel', name: 'floor' };
  const seen = await preview({ deviceIds: [has, hasNot], change });
  expect(seen.excluded).toMatchObject([{ reason: 'It does not have this label.', count: 1 }]);
  const jobId = await begin({ deviceIds: [has, hasNot], change });
  await finish(jobId);
  expect(await metadataOf(has)).toEqual({});
  await finish((await scene.hub.as(scene.project.owner, 'fleet_UndoChange', { jobId })).jobId);
  expect(await metadataOf(has)).toEqual({ floor: 3 });
});

test('a pattern may name the hostname and the number any number of times', async () => {
  const device = await scene.addDevice({ name: 'x' });
  const change = {
    kind: 'Rename',
    pattern: '{n}{hostname}'.repeat(75),
  } as const;
  const { samples } = await preview({ deviceIds: [device], change });
  expect(samples).toMatchObject([{ after: '1x'.repeat(75) }]);
});

test('devices are renamed by a pattern in the order of names, as the preview has shown, and get their names back', async () => {
  const [second, first, unnamed] = [
    await scene.addDevice({ name: 'old b' }),
    await scene.addDevice({ name: 'old a', properties: { 'dev.nexigon.hostname': 'x' } }),
    await scene.addDevice({}),
  ];
  await sql`update devices set hostname = '{n}' where device_id = ${ids.device.raw(first)}`.execute(
    scene.hub.database.db,
  );
  const input = {
    deviceIds: [unnamed, second, first],
    change: { kind: 'Rename', pattern: ' pump-{n} {hostname}' } as const,
  };
  const { samples } = await preview(input);
  const jobId = await begin(input);
  await finish(jobId);
  expect(await nameOf(first)).toBe('pump-1 {n}');
  expect(await nameOf(second)).toBe('pump-2 old b');
  expect(await nameOf(unnamed)).toBe(`pump-3 ${unnamed}`);
  expect(new Set(samples.map(({ after }) => after))).toEqual(
    new Set(['pump-1 {n}', 'pump-2 old b', `pump-3 ${unnamed}`]),
  );
  await finish((await scene.hub.as(scene.project.owner, 'fleet_UndoChange', { jobId })).jobId);
  expect([await nameOf(first), await nameOf(second), await nameOf(unnamed)]).toEqual([
    'old a',
    'old b',
    undefined,
  ]);
});

test('names that are too long are left out, and a pattern that names nothing is refused', async () => {
  const device = await scene.addDevice({ name: 'x'.repeat(128) });
  const seen = await preview({
    deviceIds: [device],
    change: { kind: 'Rename', pattern: '{hostname}-{hostname}' },
  });
  expect(seen).toMatchObject({
    eligible: 0,
    excluded: [{ reason: 'Device name must be at most 200 characters long.' }],
  });
  await expect(
    begin({ deviceIds: [device], change: { kind: 'Rename', pattern: '{hostname}-{hostname}' } }),
  ).rejects.toThrow('There is no device that this would change. The preview says why.');
  await expect(preview({ deviceIds: [device], change: { kind: 'Rename', pattern: ' ' } })).rejects.toThrow(
    'Say what the devices are to be called',
  );
});

test('accepting takes the certificates that the preview has seen, and no later one', async () => {
  const device = await seedDevice(scene.hub, scene.project);
  const add = () =>
    scene.hub.as(scene.project.owner, 'devices_AddDeviceCertificate', {
      deviceId: device.deviceId,
      fingerprint: newCertificate(),
    });
  const statusOf = async (id: Id<'deviceCertificate'>) => {
    const { certificates } = await scene.hub.as(scene.project.owner, 'devices_GetDeviceDetails', {
      deviceId: device.deviceId,
    });
    return certificates.find(({ certificateId }) => certificateId === id)?.status;
  };
  const pend = (id: Id<'deviceCertificate'>) =>
    sql`update device_certificates set status = 'Pending' where certificate_id = ${ids.deviceCertificate.raw(id)}`.execute(
      scene.hub.database.db,
    );
  const { certificateId: known } = await add();
  await pend(known);
  const input = { deviceIds: [device.deviceId], change: { kind: 'Accept' } as const };
  const { previewHash, undoable } = await preview(input);
  expect(undoable).toBe(false);
  const { certificateId: later } = await add();
  await pend(later);
  const { projectId } = scene.project;
  await expect(
    scene.hub.as(scene.member, 'fleet_ApplyChange', { projectId, ...input, previewHash }),
  ).rejects.toThrow('it would change other devices, or give them something else');
  const jobId = await begin(input, scene.member);
  const { certificateId: last } = await add();
  await pend(last);
  const { change } = await finish(jobId);
  expect(change).toMatchObject({ done: 1, undoable: false });
  expect([await statusOf(known), await statusOf(later), await statusOf(last)]).toEqual([
    'Active',
    'Active',
    'Pending',
  ]);
  await expect(scene.hub.as(scene.member, 'fleet_UndoChange', { jobId })).rejects.toThrow(
    'Only new names and labels can be taken back.',
  );
});

test('deleted devices are gone, one that was deleted meanwhile is told, and members delete up to ten', async () => {
  const devices = await scene.addDevices(11);
  const input = { deviceIds: devices, change: { kind: 'Delete' } as const };
  expect(await preview(input, scene.member)).toMatchObject({
    eligible: 11,
    connected: 11,
    needsOwner: true,
    undoable: false,
  });
  await expect(begin(input, scene.member)).rejects.toThrow('only an owner of the project may');
  const some = { ...input, deviceIds: devices.slice(0, 10) };
  const jobId = await begin(some, scene.member);
  await scene.hub.as(scene.project.owner, 'devices_DeleteDevice', { deviceId: devices[0]! });
  const { change, results } = await finish(jobId);
  expect(change).toMatchObject({ total: 10, done: 9, failed: 1 });
  expect(results.find(({ deviceId }) => deviceId === devices[0])).toMatchObject({
    status: 'Failed',
    reason: 'Device not found.',
  });
  await expect(
    scene.hub.as(scene.project.owner, 'devices_GetDeviceDetails', { deviceId: devices[1]! }),
  ).rejects.toThrow('not found');
  const { projectId } = scene.project;
  const { counts } = await scene.hub.as(scene.project.owner, 'projects_CountFilteredDevices', {
    projectId,
    filters: [`id:${devices[10]}`],
  });
  expect(counts).toEqual([{ count: 1, isAll: true }]);
});

test('a selection that changed since the preview changes nothing, and the difference is told', async () => {
  const device = await scene.addDevice({});
  await setMetadata(device, { batch: 'seven' });
  const input = {
    query: 'label.batch:seven',
    change: { kind: 'SetLabel', name: 'ring', value: 'canary' } as const,
  };
  const { previewHash, eligible } = await preview(input);
  expect(eligible).toBe(1);
  const joined = await scene.addDevice({});
  await setMetadata(joined, { batch: 'seven' });
  const { projectId, owner } = scene.project;
  await expect(
    scene.hub.as(owner, 'fleet_ApplyChange', { projectId, ...input, previewHash }),
  ).rejects.toThrow(
    'The selection has changed since the preview: the preview would have changed 1 device, and now it would be 2 devices. Nothing was changed; look at the preview again.',
  );
  expect(await metadataOf(device)).toEqual({ batch: 'seven' });
  const { rows } = await sql`select 1 from fleet_changes where completed_at is null`.execute(
    scene.hub.database.db,
  );
  expect(rows).toEqual([]);
});

test('an empty selection, a foreign device and both kinds of selection at once are refused', async () => {
  const own = await scene.addDevice({});
  const foreign = await seedDevice(scene.hub, await seedProject(scene.hub));
  const change = { kind: 'Delete' } as const;
  await expect(preview({ change })).rejects.toThrow('write the filter "all"');
  await expect(preview({ query: ' ', change })).rejects.toThrow('write the filter "all"');
  await expect(preview({ deviceIds: [], change })).rejects.toThrow('The list of devices is empty.');
  await expect(preview({ deviceIds: [own], query: 'all', change })).rejects.toThrow(
    'either by a filter or by a list',
  );
  await expect(preview({ deviceIds: [own, foreign.deviceId], change })).rejects.toThrow(
    'Of the 2 devices 1 was not found: ',
  );
  await expect(preview({ query: 'label.x:"', change })).rejects.toThrow();
});

test('a change that was begun by a node that is lost is gone on with by another, and changes each device once', async () => {
  const devices = await scene.addDevices(450);
  const jobId = await begin({
    deviceIds: devices,
    change: { kind: 'SetLabel', name: 'ring', value: 'canary' },
  });
  const changeId = ids.fleetJob.raw(jobId);
  expect(await scene.hub.run(GoOnWithChange, { changeId })).toEqual({ isMore: true });
  expect(await scene.hub.as(scene.member, 'fleet_GetChange', { jobId })).toMatchObject({
    total: 450,
    done: 200,
  });
  // A node that dies in the middle of a batch leaves none of it.
  await expect(
    scene.hub.database.db.transaction().execute(async (tx) => {
      await sql`select 1 from fleet_changes where change_id = ${changeId} for no key update`.execute(tx);
      expect(await scene.hub.run(GoOnWithChange, { changeId })).toEqual({ isMore: false });
      throw new Error('killed');
    }),
  ).rejects.toThrow('killed');
  const { change, results } = await finish(jobId);
  expect(change).toMatchObject({ total: 450, done: 450, failed: 0 });
  expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['Done']));
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from audit_events where event = 'devices_LabelChanged' and data ->> 'deviceId' = any(${devices})`.execute(
    scene.hub.database.db,
  );
  expect(rows[0]?.count).toBe(450);
});

test('a cancelled change leaves the devices that were not changed yet as they are', async () => {
  const devices = await scene.addDevices(201);
  const jobId = await begin({
    deviceIds: devices,
    change: { kind: 'SetLabel', name: 'ring', value: 'canary' },
  });
  await scene.hub.run(GoOnWithChange, { changeId: ids.fleetJob.raw(jobId) });
  await scene.hub.as(scene.member, 'fleet_CancelChange', { jobId });
  const { change, results } = await finish(jobId);
  expect(change).toMatchObject({ done: 200, failed: 1 });
  expect(results.filter(({ reason }) => reason === 'The change was cancelled before.')).toHaveLength(1);
  await expect(scene.hub.as(scene.member, 'fleet_CancelChange', { jobId })).rejects.toThrow(
    'The change has ended.',
  );
});

test('a label over the quota of a device fails on it alone, as by itself', async () => {
  const [full, free] = [await scene.addDevice({}), await scene.addDevice({})];
  await scene.hub.as(scene.project.owner, 'devices_SetDeviceProperty', {
    deviceId: full,
    name: 'x',
    value: 1,
  });
  await sql`update device_properties set size_bytes = 1000000000 where device_id = ${ids.device.raw(full)}`.execute(
    scene.hub.database.db,
  );
  const jobId = await begin({
    deviceIds: [full, free],
    change: { kind: 'SetLabel', name: 'ring', value: 'canary' },
  });
  const { results } = await finish(jobId);
  const of = (id: string) => results.find(({ deviceId }) => deviceId === id);
  expect(of(free)?.status).toBe('Done');
  expect(of(full)).toMatchObject({ status: 'Failed', reason: expect.stringContaining('that it may store') });
});
