import { expect, test } from 'vitest';
import { rotationScene } from '../../../../test/rotation-scene.ts';
import { amounts } from '../../../limits/amounts.ts';
import { MoveRotations } from './MoveRotations.ts';
import { UnregisterDeviceConnection } from './UnregisterDeviceConnection.ts';

const { hub, device, next, open, rotations, rotation, announce, come, statuses } = rotationScene();
const hourSecs = 3_600;

test('a device that went back to its old certificate keeps it, also where the clock went back meanwhile', async () => {
  const old = device.shown.certificate;
  await open({ graceSecs: 600, windowSecs: 600 });
  await announce();
  const first = await come(next.fingerprint);
  hub.advance(120);
  await hub.run(UnregisterDeviceConnection, { connectionId: first });
  hub.advance(-hourSecs);
  const second = await come(old);
  hub.advance(60);
  await hub.run(UnregisterDeviceConnection, { connectionId: second });
  hub.advance(2 * hourSecs);
  await hub.run(MoveRotations);
  expect(await rotation()).toMatchObject({ state: 'RolledBack' });
  expect(await statuses()).toEqual({ [old]: 'Active', [next.fingerprint]: 'Active' });
});

test('a device that comes with its new certificate has arrived, also where the clock went back meanwhile', async () => {
  const old = device.shown.certificate;
  await come(old);
  await open();
  await announce();
  hub.advance(-hourSecs);
  await come(next.fingerprint);
  expect(await rotation()).toMatchObject({ state: 'Arrived' });
});

test('a device keeps the newest of its rotations that have ended', async () => {
  const { max } = amounts.endedRotations;
  for (let count = 0; count < max + 3; count += 1) {
    await open({ windowSecs: 600 });
    hub.advance(601);
    await hub.run(MoveRotations);
  }
  await open();
  const states = (await rotations()).map(({ state }) => state);
  expect(states).toEqual(['Open', ...Array.from({ length: max }, () => 'Expired')]);
});
