import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type PlayedShell, until } from '../../../test/played-shell.ts';
import { TerminalClient } from '../../../test/terminal-client.ts';
import { freshTerminalScene, type PlayedDevice, type TerminalScene } from '../../../test/terminal-scene.ts';

let scene: TerminalScene;
let device: PlayedDevice;
beforeAll(async () => {
  scene = await freshTerminalScene();
});
afterAll(() => scene.node[Symbol.asyncDispose]());
beforeEach(async () => {
  await scene.setPolicy({});
  device = await scene.connectDevice();
  return () => device.link.connection.close('');
});

const kib = 1024;
const lines = Buffer.from('y\n'.repeat(8 * kib));

/** Says `y` for so long; how much the hub has taken so far. */
function sayYes(shell: PlayedShell, totalBytes: number) {
  const said = { bytes: 0, isDone: false };
  void (async () => {
    while (said.bytes < totalBytes) {
      await shell.say(lines);
      said.bytes += lines.length;
    }
    said.isDone = true;
  })().catch(() => undefined);
  return said;
}

/** Some calls later. */
async function later(): Promise<void> {
  for (let count = 0; count < 20; count += 1)
    await scene.call('devices_QueryTerminals', { deviceId: device.deviceId });
}

test('a client that draws nothing holds up the device and nobody else, and neither memory nor the event loop', async () => {
  const { sessionId, client } = await scene.open(device.deviceId);
  const shell = await device.shell();
  client.tell({ type: 'Drawn', bytes: 0 });
  await later();
  const said = sayYes(shell, 100 * kib * kib);
  await until(() => client.outputBytes >= 512 * kib);
  await later();
  const other = await scene.open(device.deviceId);
  const second = await device.shell(1);
  other.client.type('a');
  await until(() => second.input.toString() === 'a');
  // What is drawn is at most 512 KiB behind; the rest is in the windows of the channel.
  expect(client.outputBytes).toBeLessThanOrEqual(512 * kib + 64 * kib);
  expect(said.bytes).toBeLessThan(8 * kib * kib);
  client.tell({ type: 'Drawn', bytes: 300 * kib });
  await until(() => client.outputBytes >= 800 * kib);
  await later();
  expect(client.outputBytes).toBeLessThanOrEqual((300 + 512 + 64) * kib);
  await scene.call('devices_EndTerminal', { sessionId });
  await client.closed;
  expect(said.isDone).toBe(false);
});

test('a client that does not read holds up the device; a watcher that does not is dropped, and may join again', async () => {
  const { sessionId, client } = await scene.open(device.deviceId);
  const shell = await device.shell();
  const watcher = await scene.join(sessionId, scene.colleague, scene.node, false);
  await until(() => client.last('People')?.people.length === 2);
  watcher.socket.pause();
  const said = sayYes(shell, 24 * kib * kib);
  await until(() => client.last('People')?.people.length === 1);
  client.socket.pause();
  const before = said.bytes;
  await later();
  expect(said.bytes - before).toBeLessThan(16 * kib * kib);
  expect(said.isDone).toBe(false);
  const back = await scene.join(sessionId, scene.colleague, scene.node, false);
  await until(() => back.outputBytes >= 256 * kib);
  client.socket.terminate();
  await until(() => said.isDone);
  watcher.socket.terminate();
});

test('a client that has not been let in yet is not read', async () => {
  const { json } = await scene.call('devices_OpenTerminal', { deviceId: device.deviceId });
  const sessionId = String(json['sessionId']);
  const db = scene.node.hub.database.db;
  const client = await db.transaction().execute(async (tx) => {
    await tx.selectFrom('terminal_sessions').select('session_id').forUpdate().execute();
    const entering = await scene.enter(sessionId, String(json['ticket']));
    if (!(entering instanceof TerminalClient)) throw new Error(entering.message);
    for (let count = 0; count < 32; count += 1) entering.type(Buffer.alloc(kib * kib, 'x'));
    await later();
    expect(entering.socket.bufferedAmount).toBeGreaterThan(16 * kib * kib);
    return entering;
  });
  const shell = await device.shell();
  await until(() => shell.input.length > 0);
  client.socket.terminate();
});
