import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { deviceScene } from '../../../test/device-scene.ts';
import { adaptToServer } from './adapt-to-server.ts';

const { hub, project, device } = deviceScene();

test('a restored device is found by a text that the other server has put in lower case by other rules', async () => {
  const { projectId, owner } = project;
  const { deviceId } = device;
  await hub.as(owner, 'devices_SetDeviceName', { deviceId, name: 'GÄRTNER' });
  // As a server does that does not remove accents.
  await sql`update device_texts set texts = replace(texts, 'gartner', 'gärtner')`.execute(hub.database.db);
  const found = async () => {
    const { devices } = await hub.as(owner, 'projects_QueryProjectDevices', { projectId, filter: 'gärtner' });
    return devices.length;
  };
  expect(await found()).toBe(0);
  await hub.database.db.transaction().execute(adaptToServer);
  expect(await found()).toBe(1);
});
