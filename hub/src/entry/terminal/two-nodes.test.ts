import { randomBytes } from 'node:crypto';
import type { ChannelRequest } from '@corral/multiplex';
import { expect, onTestFinished, test } from 'vitest';
import { bothTransports, type BothTransports } from '../../../test/both-transports.ts';
import { freshDatabase } from '../../../test/fresh-database.ts';
import { until } from '../../../test/played-shell.ts';
import { terminalScene, type TerminalScene } from '../../../test/terminal-scene.ts';
import { createInProcessBus } from '../../platform/events/bus.ts';
import { openPeerNetwork } from '../peers/open-peers.ts';

/** Three nodes of one cluster; the scene is on the first. */
async function threeNodes(): Promise<{ scene: TerminalScene; nodes: BothTransports[] }> {
  const database = await freshDatabase();
  const bus = createInProcessBus((error) => console.error(error));
  const authoritySeed = randomBytes(32);
  const log = { info() {}, warn() {} };
  const nodes: BothTransports[] = [];
  for (let count = 0; count < 3; count += 1) {
    const network = await openPeerNetwork({ authoritySeed, host: '127.0.0.1', port: 0, log });
    nodes.push(await bothTransports({}, { database, bus }, { network }));
  }
  onTestFinished(async () => {
    for (const node of nodes) await node[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  });
  return { scene: await terminalScene(nodes[0] as BothTransports), nodes };
}

test('a terminal on a device of another node is entered through any node, and outlives that of its tab', async () => {
  const { scene, nodes } = await threeNodes();
  const [, second, third] = nodes;
  const device = await scene.connectDevice(second === undefined ? {} : { at: second });
  const { sessionId, client } = await scene.open(device.deviceId);
  const shell = await device.shell();
  client.resize(100, 30);
  client.type('hello');
  await until(() => shell.input.toString() === 'hello' && shell.sizes[0] === '100x30');
  const large = randomBytes(600_000).toString('base64');
  await shell.say(large);
  await until(() => client.outputBytes === large.length);
  expect(client.output.toString()).toBe(large);
  const watcher = await scene.join(sessionId, scene.colleague, third);
  await until(() => client.last('People')?.people.length === 2);
  await until(() => watcher.outputBytes === 256 * 1024);
  expect(watcher.output.toString()).toBe(large.slice(-256 * 1024));
  watcher.type('ignored');
  watcher.socket.send(Buffer.from('nonsense'));
  expect(await watcher.closed).toBe(1008);
  // The node of the tab dies.
  client.socket.terminate();
  const back = await scene.join(sessionId, scene.owner, third);
  await until(() => back.outputBytes === 256 * 1024);
  back.type(' again');
  await until(() => shell.input.toString() === 'hello again');
  await shell.exit(0);
  await back.closed;
  expect([back.status, back.last('Ended')?.reason]).toEqual([0, 'Exited']);
  await until(async () => (await scene.terminal(sessionId)).state === 'Ended');
  const { text } = await scene.recording(sessionId);
  const said = text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => (JSON.parse(line) as string[])[2]);
  expect(said.filter((one) => !/^\d+x\d+$/.test(one ?? '')).join('')).toBe(large);
});

test('it ends for every tab when its device leaves, and when the node of its device stops', async () => {
  const { scene, nodes } = await threeNodes();
  const [first, second, third] = nodes as [BothTransports, BothTransports, BothTransports];
  const device = await scene.connectDevice({ at: second });
  const one = await scene.open(device.deviceId);
  const far = await scene.join(one.sessionId, scene.owner, third);
  await device.shell();
  device.link.connection.close('');
  await Promise.all([one.client.closed, far.closed]);
  expect([one.client, far].map((client) => client.last('Ended')?.reason)).toEqual([
    'DeviceDisconnected',
    'DeviceDisconnected',
  ]);
  const again = await scene.connectDevice({ at: second });
  const other = await scene.open(again.deviceId);
  await again.shell();
  await second.terminals.stop();
  await other.client.closed;
  expect(other.client.last('Ended')?.reason).toBe('HubStopped');
  expect((await scene.call('devices_JoinTerminal', { sessionId: other.sessionId })).json['message']).toBe(
    'The terminal has ended.',
  );
  expect(first.hub.url).not.toBe(second.hub.url);
});

test('ending it through another node ends it', async () => {
  const { scene, nodes } = await threeNodes();
  const [, second, third] = nodes as [BothTransports, BothTransports, BothTransports];
  const device = await scene.connectDevice({ at: second });
  const { sessionId, client } = await scene.open(device.deviceId);
  await device.shell();
  await scene.call('devices_EndTerminal', { sessionId }, scene.colleague, third);
  await client.closed;
  expect(client.last('Ended')?.reason).toBe('Closed');
  await until(async () => (await scene.terminal(sessionId)).state === 'Ended');
  expect((await scene.terminal(sessionId)).endedBy).toMatchObject({ userId: scene.colleague.userId });
});

test('a client whose input waits is not read, whatever it sends', async () => {
  const { scene, nodes } = await threeNodes();
  await scene.setPolicy({ approval: 'Watch' });
  const device = await scene.connectDevice({ at: nodes[1] as BothTransports });
  const { sessionId, client } = await scene.open(device.deviceId);
  await until(() => client.last('Held') !== undefined);
  for (let count = 0; count < 5; count += 1) client.type(Buffer.alloc(60_000));
  for (let count = 0; count < 48; count += 1)
    client.tell({ type: 'Drawn', bytes: 0, more: 'x'.repeat(1_000_000) });
  for (let count = 0; count < 100; count += 1)
    await scene.call('devices_QueryTerminals', { deviceId: device.deviceId });
  expect(client.socket.bufferedAmount).toBeGreaterThan(16_000_000);
  client.socket.terminate();
  await scene.call('devices_EndTerminal', { sessionId });
});

test('a file of a device of another node is fetched through any node', async () => {
  const { scene, nodes } = await threeNodes();
  const [, second, third] = nodes as [BothTransports, BothTransports, BothTransports];
  const info = { agent: { config: { commands: { enabled: true } } } };
  const { deviceId, link } = await scene.connectDevice({ at: second, info, decides: playFile });
  const manifest = { name: 'dev.nexigon.commands', value: { commands: [{ name: 'read-file' }] } };
  await (await link.rpc()).invoke('devices_SetProperty', { deviceId, ...manifest });
  const { json } = await scene.call('devices_IssueFileUrl', { deviceId, path: '/x', access: 'Read' });
  const { pathname, search } = new URL(String(json['url']));
  for (const node of [scene.node, second, third])
    expect((await node.hub.call(`${pathname}${search}&part=0`)).text).toBe('a file');
});

/** Answers a command as a device that sends a part of a file. */
function playFile(request: ChannelRequest): boolean {
  const channel = request.accept();
  for (const message of [
    { type: 'Log', lines: [Buffer.from('a file').toString('base64')] },
    { type: 'Done', status: 'Ok', output: {}, logTail: [], durationMs: 1 },
  ]) {
    const body = Buffer.from(JSON.stringify(message));
    const size = Buffer.alloc(4);
    size.writeUInt32BE(body.length);
    void channel.write(Buffer.concat([size, body]));
  }
  return true;
}
