import { expect, test } from 'vitest';
import { listedDevices } from '../../../../test/listed-devices.ts';
import { deleteDevicesOfDeletedProjects } from '../jobs/delete-devices-of-deleted-projects.ts';

const scene = listedDevices();

const letterOf = (wanted: string) => [...scene.letters].find(([, letter]) => letter === wanted)?.[0] as never;
const texts = () => scene.hub.database.db.selectFrom('device_texts').select('texts').execute();

test('a search finds the name and the host name that a device has now, and only these', async () => {
  const { hub, project } = scene;
  const deviceId = letterOf('d');
  await hub.as(project.owner, 'devices_SetDeviceName', { deviceId, name: 'Crane 100% _\\' });
  for (const text of ['crane', '"100% _"', '"_\\\\"', 'crane*'])
    expect(await scene.found(text), text).toBe('d');
  for (const text of ['żuraw', '"crane_100"', '"1%0"', '100*', 'c_ane'])
    expect(await scene.found(text), text).toBe('');
  await hub.as(project.owner, 'devices_SetDeviceName', { deviceId });
  expect(await scene.found('crane')).toBe('');

  const info = { deviceId, name: 'dev.nexigon.system.info' };
  await hub.as(project.owner, 'devices_SetDeviceProperty', { ...info, value: { hostname: 'yard-7' } });
  expect(await scene.found('yard*')).toBe('d');
  await hub.as(project.owner, 'devices_RemoveProperty', info);
  expect(await scene.found('yard')).toBe('');
  expect(await scene.found('-yard')).toBe('dcba');
});

test('a deleted device is no longer found, and leaves no text', async () => {
  const before = (await texts()).length;
  await scene.hub.as(scene.project.owner, 'devices_DeleteDevice', { deviceId: letterOf('a') });
  expect(await scene.found('pump')).toBe('b');
  await deleteDevicesOfDeletedProjects(scene.hub.executor);
  expect(await texts()).toHaveLength(before - 1);
});
