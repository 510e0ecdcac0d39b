import type { Actor } from '@corral/contract';
import { CompiledQuery } from 'kysely';
import { expect, test } from 'vitest';
import { deviceScene } from '../../../../test/device-scene.ts';
import { recordStatements } from '../../../../test/recorded-statements.ts';

const { hub, project, device } = deviceScene();

const publish = (value: unknown, name = 'dev.nexigon.commands') =>
  hub.as(device.actor, 'devices_SetDeviceProperty', {
    deviceId: device.deviceId,
    name,
    value: value as never,
  });
const commands = async (actor: Actor = project.owner) =>
  (await hub.as(actor, 'devices_QueryCommands', { deviceId: device.deviceId })).manifest.commands;

test('a device without a command manifest has no commands', async () => {
  expect(await commands()).toEqual([]);
});

test('the commands of a device are listed unchanged, with their schemas', async () => {
  const offered = [
    { name: 'reboot' },
    { name: 'logs', description: 'Reads logs.', category: 'System', input: { type: 'object' }, output: true },
  ];
  await publish({ commands: offered, more: 1 });
  expect(await commands()).toEqual(offered);
  expect(await commands(device.actor)).toEqual(offered);
});

test.each([
  null,
  7,
  'text',
  [],
  [{ name: 'x' }],
  {},
  { commands: null },
  { commands: 'x' },
  { commands: {} },
])('the value %j is no manifest and offers nothing', async (value) => {
  await publish(value);
  expect(await commands()).toEqual([]);
});

test('invalid commands are left out, and null is not a text', async () => {
  await publish({
    commands: [
      null,
      1,
      [],
      {},
      { name: 7 },
      { name: 'a', category: 1 },
      { name: 'b', description: null, input: null },
    ],
  });
  expect(await commands()).toEqual([{ name: 'b' }]);
});

test('the command manifest may be larger than other properties', async () => {
  const manifest = { commands: [{ name: 'big', description: 'x'.repeat(3_000_000) }] };
  await publish(manifest);
  expect(await commands()).toEqual(manifest.commands);
  await expect(publish(manifest, 'other')).rejects.toThrow('256 KiB');
  await expect(publish({ ...manifest, more: 'x'.repeat(2_000_000) })).rejects.toThrow('4096 KiB');
});

test('commands are read page by page in their order, unless the device replaces them', async () => {
  const offered = Array.from({ length: 5 }, (_, index) => ({ name: `command ${index}` }));
  await publish({ commands: offered });
  const page = (limit: number, after?: string) =>
    hub.as(project.owner, 'devices_QueryCommands', { deviceId: device.deviceId, limit, after });
  const first = await page(3);
  expect(first.manifest.commands).toEqual(offered.slice(0, 3));
  const second = await page(3, first.next);
  expect(second).toEqual({ manifest: { commands: offered.slice(3) } });
  await publish({ commands: offered.toReversed() });
  await expect(page(3, first.next)).rejects.toThrow('The field after must be the next of an earlier answer');
});

test('the hub reads no more of a large manifest than the page that was asked for', async () => {
  const description = 'x'.repeat(9_000);
  await publish({ commands: Array.from({ length: 300 }, (_, index) => ({ name: `${index}`, description })) });
  using statements = recordStatements();
  const input = { deviceId: device.deviceId, limit: 1 };
  await hub.as(project.owner, 'devices_QueryCommands', input);
  const reads = statements.containing('device_properties');
  expect(reads.length).toBeGreaterThan(0);
  for (const { text, values } of reads) {
    const { rows } = await hub.database.db.executeQuery(CompiledQuery.raw(text, [...values]));
    expect(JSON.stringify(rows).length).toBeLessThan(30_000);
  }
});
