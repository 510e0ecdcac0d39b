import { ids } from '@corral/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { deviceIdOf, gatewayScene, type GatewayScene } from '../../test/gateway-scene.ts';
import { waitingLocks } from '../../test/seed.ts';

let scene: GatewayScene;
beforeAll(async () => void (scene = await gatewayScene()));
afterAll(() => scene[Symbol.asyncDispose]());

test('the devices of one project search two at a time, and people go on meanwhile', async () => {
  const { db } = scene.hub.database;
  const links = await Promise.all([1, 2, 3, 4].map(() => scene.connectDevice()));
  const callers = await Promise.all(
    links.map(async (link) => ({ rpc: await link.rpc(), deviceId: await deviceIdOf(link) })),
  );
  const held = await db.startTransaction().execute();
  await sql`lock table device_events in access exclusive mode`.execute(held);
  const searches = callers.map(({ rpc, deviceId }) =>
    rpc.invoke('devices_QueryDeviceEvents', { deviceId, filter: 'pump' }),
  );
  await vi.waitFor(async () => expect(await waitingLocks(db)).toBe(2));
  const found = await scene.hub.as(scene.owner, 'projects_QueryProjectDevices', {
    projectId: scene.projectId,
    filter: `name:"${ids.device.raw(callers[0]?.deviceId as never)}"`,
  });
  expect(found.devices).toEqual([]);
  expect(await waitingLocks(db)).toBe(2);
  await held.commit().execute();
  expect(await Promise.all(searches)).toEqual(searches.map(() => expect.objectContaining({ events: [] })));
  for (const { connection } of links) connection.close('');
});
