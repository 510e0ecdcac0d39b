import type { Id } from '@corral/contract';
import { expect, test } from 'vitest';
import { deviceScene } from '../../../../test/device-scene.ts';
import { seedDevice, seedProject } from '../../../../test/seed.ts';
import { goOnWithChanges } from '../../fleet/jobs/go-on-with-changes.ts';
import { MoveRotations } from '../internal/MoveRotations.ts';

const { hub, project, member, device } = deviceScene();
const log = {
  warn(fields: unknown, message: string) {
    throw new Error(message, { cause: fields });
  },
};

async function openWindow(deviceId: Id<'device'>) {
  await hub.as(project.owner, 'devices_StartCertificateRotation', { deviceId, windowSecs: 60 });
  while (await goOnWithChanges({ executor: hub.executor, log }));
}

async function expire(deviceId: Id<'device'>) {
  await openWindow(deviceId);
  hub.advance(61);
  await hub.run(MoveRotations);
}

/** The devices of the list, of which the overview has the number and the names. */
async function failed(): Promise<Id<'device'>[]> {
  const { projectId } = project;
  const of = { projectId, isUnresolved: true };
  const { rotations } = await hub.as(member, 'devices_QueryCertificateRotations', of);
  const { needs } = await hub.as(member, 'projects_GetOverview', { projectId });
  const need = needs.find(({ kind }) => kind === 'FailedRotations');
  expect(need?.count ?? 0).toBe(rotations.length);
  expect([...(need?.names ?? [])].toSorted()).toEqual(
    rotations.map(({ deviceName, deviceId }) => deviceName ?? deviceId).toSorted(),
  );
  expect(need?.since).toEqual(rotations.at(-1)?.endedAt);
  return rotations.map(({ deviceId }) => deviceId);
}

test('a rotation that failed needs somebody until the window of its device is opened again', async () => {
  const other = await seedDevice(hub, project);
  await hub.as(project.owner, 'devices_SetDeviceName', { deviceId: other.deviceId, name: 'press-7' });
  expect(await failed()).toEqual([]);
  await expire(device.deviceId);
  await expire(other.deviceId);
  await expire(other.deviceId);
  expect(await failed()).toEqual([other.deviceId, device.deviceId]);
  await openWindow(device.deviceId);
  expect(await failed()).toEqual([other.deviceId]);
  await hub.as(project.owner, 'devices_CancelCertificateRotation', { deviceId: device.deviceId });
  expect(await failed()).toEqual([other.deviceId]);
  await hub.as(project.owner, 'devices_DeleteDevice', { deviceId: other.deviceId });
  expect(await failed()).toEqual([]);
});

test('a rotation that rolled back and one of another project', async () => {
  const elsewhere = await seedDevice(hub, await seedProject(hub, 'Elsewhere'));
  await expire(device.deviceId);
  const rows = hub.database.db.updateTable('certificate_rotations');
  await rows.set({ state: 'RolledBack' }).execute();
  expect(await failed()).toEqual([device.deviceId]);
  await rows.set({ device_id: elsewhere.deviceId.slice(2) }).execute();
  expect(await failed()).toEqual([]);
});
