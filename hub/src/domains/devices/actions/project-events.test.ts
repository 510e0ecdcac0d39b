import { ids, type Id } from '@corral/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { deviceScene } from '../../../../test/device-scene.ts';
import { seedDevice, seedProject } from '../../../../test/seed.ts';

const { hub, project, device } = deviceScene();

const listed = async (input: { filter?: string; limit?: number; after?: string } = {}) =>
  hub.as(project.owner, 'projects_QueryProjectEvents', { projectId: project.projectId, ...input });

async function publish(deviceId: Id<'device'>, severity: string, at: string, suffix: string): Promise<void> {
  await hub.as({ actor: 'Device', kind: 'Device', deviceId } as never, 'devices_PublishDeviceEvents', {
    deviceId,
    events: [
      {
        eventId: `d_ev_20261120-1159-AAAAAAA${suffix}`,
        severity,
        body: suffix,
        attributes: {},
        emittedAt: at,
      },
    ],
  } as never);
}

test('the events of all devices of a project are listed newest first, with the names of their devices, page by page', async () => {
  const other = await seedDevice(hub, project);
  await hub.as(project.owner, 'devices_SetDeviceName', { deviceId: other.deviceId, name: 'press-2' });
  await publish(device.deviceId, 'Info', '2026-11-20T11:57:00Z', '1');
  await publish(other.deviceId, 'Error', '2026-11-20T11:58:00Z', '2');
  await publish(device.deviceId, 'Warning', '2026-11-20T11:59:00Z', '3');
  const first = await listed({ limit: 2 });
  expect(first.events.map(({ body, deviceId, deviceName }) => [body, deviceId, deviceName])).toEqual([
    ['3', device.deviceId, undefined],
    ['2', other.deviceId, 'press-2'],
  ]);
  expect((await listed({ limit: 2, after: String(first.next) })).events.map(({ body }) => body)).toEqual([
    '1',
  ]);
  const bodies = async (filter: string) => (await listed({ filter })).events.map(({ body }) => body).join('');
  expect(await bodies('severity:Error,Warning')).toBe('32');
  expect(await bodies(`device:${device.deviceId}`)).toBe('31');
  expect(await bodies('emitted<2026-11-20T11:58:30Z not severity:Info')).toBe('2');
});

test('the list does not depend on how many devices a project has, and has no events of other projects', async () => {
  const foreign = await seedDevice(hub, await seedProject(hub));
  await publish(foreign.deviceId, 'Error', '2026-11-20T11:59:30Z', '9');
  await publish(device.deviceId, 'Info', '2026-11-20T11:57:00Z', '1');
  await publish(device.deviceId, 'Error', '2026-11-20T11:58:00Z', '2');
  const few = await listed();
  await sql`insert into all_devices (device_id, project_id, fingerprint_id, fingerprint_hash, created_at)
    select 'many' || n, ${ids.project.raw(project.projectId)}, 'many' || n, sha256(('many' || n)::bytea), now() from generate_series(1, 1001) n`.execute(
    hub.database.db,
  );
  expect(await listed()).toEqual(few);
  expect(few.events.map(({ body }) => body)).toEqual(['2', '1']);
  expect((await listed({ filter: 'severity:Error' })).events.map(({ body }) => body)).toEqual(['2']);
});
