import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../../../test/played-shell.ts';
import { freshTerminalScene, type PlayedDevice, type TerminalScene } from '../../../test/terminal-scene.ts';

let scene: TerminalScene;
let device: PlayedDevice;
let nowMs = 0;
beforeAll(async () => {
  scene = await freshTerminalScene({}, {}, { nowMs: () => nowMs + performance.now() });
});
afterAll(() => scene.node[Symbol.asyncDispose]());
beforeEach(async () => {
  await scene.setPolicy({});
  device = await scene.connectDevice();
  return () => device.link.connection.close('');
});

const sentence = async (name: string, input: object, who?: TerminalScene['owner']) => {
  const { json } = await scene.call(name, input, who);
  return json['message'];
};
const open = (who: TerminalScene['owner'], more: object = {}) =>
  sentence('devices_OpenTerminal', { deviceId: device.deviceId, ...more }, who);
const ended = async (sessionId: string) => {
  await until(async () => (await scene.terminal(sessionId)).state === 'Ended');
  return scene.terminal(sessionId);
};

test('a project that never chose lets its owners open terminals, in their sessions', async () => {
  await scene.node.hub.database.db.updateTable('projects').set({ terminal_policy: null }).execute();
  expect(await open(scene.member)).toBe('Only owners of the project may open terminals on its devices.');
  const { client } = await scene.open(device.deviceId);
  client.socket.close();
});

test('a policy turns terminals off, wants a reason, and keeps names and reasons in one line', async () => {
  await scene.setPolicy({ access: 'Off' });
  expect(await open(scene.owner)).toMatch(/^Terminals are off in this project\./);
  await scene.setPolicy({ isReasonNeeded: true });
  expect(await open(scene.member)).toMatch(/^Say why: /);
  expect(await open(scene.member, { reason: 'a\u001b[2Jb' })).toMatch(/^A reason is one line/);
  expect(await open(scene.member, { reason: 'x', user: 'ro/ot' })).toMatch(/^A user on a device/);
  expect(await open(scene.member, { reason: 'x', user: 'a\u001b]0;b' })).toMatch(/^A user on a device/);
});

test('a device has four terminals at a time', async () => {
  const opened = [];
  for (let count = 0; count < 4; count += 1) opened.push(await scene.open(device.deviceId));
  expect(await open(scene.owner)).toMatch(/^A device may have 4 terminals/);
  await scene.call('devices_EndTerminal', { sessionId: opened[0]?.sessionId });
  await ended(opened[0]?.sessionId ?? '');
  expect(opened[0]?.client.last('Ended')?.reason).toBe('Closed');
  expect(await open(scene.owner)).toBeUndefined();
});

describe('who is in a terminal', () => {
  test('a further tab gets the last output, everybody learns who is in, and what a watcher types is ignored', async () => {
    const { sessionId, client } = await scene.open(device.deviceId, {}, scene.member);
    const shell = await device.shell();
    await shell.say('before ');
    await until(() => client.outputBytes > 0);
    const second = await scene.join(sessionId, scene.member);
    await until(() => second.output.toString() === 'before ');
    const watcher = await scene.join(sessionId, scene.owner);
    await until(() => client.last('People')?.people.length === 3);
    expect(client.last('People')?.people.map(({ role }) => role)).toEqual(['Types', 'Types', 'Watches']);
    watcher.type('rm -rf /\r');
    watcher.resize(10, 10);
    second.type('ls\r');
    await until(() => shell.input.length >= 3);
    expect([shell.input.toString(), shell.sizes]).toEqual(['ls\r', []]);
    watcher.socket.close();
    await until(() => client.last('People')?.people.length === 2);
    expect((await scene.call('devices_JoinTerminal', { sessionId }, scene.colleague)).json['role']).toBe(
      'Watches',
    );
    client.socket.close();
    second.socket.close();
    await until(() => scene.terminal(sessionId).then(({ state }) => state === 'Open'));
    const back = await scene.join(sessionId, scene.member);
    await until(() => back.output.toString() === 'before ');
    back.type('exit\r');
    await until(() => shell.input.toString() === 'ls\rexit\r');
    await scene.call('devices_EndTerminal', { sessionId }, scene.member);
    expect(await back.closed).toBe(1000);
  });

  test('other members may neither watch nor end it, nor read its recording', async () => {
    const { sessionId } = await scene.open(device.deviceId);
    for (const name of ['devices_JoinTerminal', 'devices_EndTerminal', 'devices_IssueRecordingUrl'])
      expect(await sentence(name, { sessionId }, scene.member)).toMatch(/^Only whoever opened the terminal/);
    await scene.call('devices_EndTerminal', { sessionId });
  });

  test('a member who is removed is out within seconds, and the terminal ends', async () => {
    const { hub } = scene.node;
    const { userId } = await hub.user('leaving@example.org', { password: 'quiet harbour lantern 7' });
    const leaving = { userId, cookie: await hub.signIn('leaving@example.org', 'quiet harbour lantern 7') };
    const system = { actor: { actor: 'System', kind: 'System' }, origin: {} } as const;
    const { projectId } = scene;
    await hub.executor.invoke(system, 'projects_AddProjectMember', { projectId, userId });
    const { sessionId, client } = await scene.open(device.deviceId, {}, leaving);
    await scene.call('projects_RemoveProjectMember', { projectId, userId });
    await client.closed;
    expect(client.last('Ended')?.reason).toBe('AccessEnded');
    expect((await ended(sessionId)).endReason).toBe('AccessEnded');
  });

  test('whoever signs out is out, while another tab in another session goes on', async () => {
    const { hub } = scene.node;
    const again = {
      ...scene.member,
      cookie: await hub.signIn('member@example.org', 'quiet harbour lantern 7'),
    };
    const { sessionId, client } = await scene.open(device.deviceId, {}, again);
    const other = await scene.join(sessionId, scene.member);
    await hub.post('/api/private/logout', {}, { cookie: again.cookie });
    await client.closed;
    await until(() => other.last('People')?.people.length === 1);
    await scene.call('devices_EndTerminal', { sessionId });
    await other.closed;
  });
});

describe('the second person', () => {
  test('approves it: never whoever opened it, nor a member, and then it is entered', async () => {
    await scene.setPolicy({ approval: 'Approve' });
    const { json } = await scene.call('devices_OpenTerminal', { deviceId: device.deviceId });
    expect(json).toEqual({ result: 'WaitsForApproval', sessionId: json['sessionId'] });
    const sessionId = String(json['sessionId']);
    const approve = (who: TerminalScene['owner'], isApproved = true) =>
      sentence('devices_ApproveTerminal', { sessionId, isApproved }, who);
    expect(await sentence('devices_JoinTerminal', { sessionId })).toBe('The terminal waits for an approval.');
    expect(await approve(scene.owner)).toMatch(/^Another owner of the project/);
    expect(await approve(scene.member)).toMatch(/^Only an owner of the project/);
    expect(await approve(scene.colleague)).toBeUndefined();
    const client = await scene.join(sessionId);
    await (await device.shell()).say('in');
    await until(() => client.output.toString() === 'in');
    expect(await scene.terminal(sessionId)).toMatchObject({
      state: 'Open',
      approval: 'Approve',
      approvedBy: { userId: scene.colleague.userId },
    });
    await scene.call('devices_EndTerminal', { sessionId });
  });

  test('refuses it', async () => {
    await scene.setPolicy({ approval: 'Approve' });
    const { json } = await scene.call('devices_OpenTerminal', { deviceId: device.deviceId });
    const sessionId = String(json['sessionId']);
    await scene.call('devices_ApproveTerminal', { sessionId, isApproved: false }, scene.colleague);
    expect(await scene.terminal(sessionId)).toMatchObject({ state: 'Ended', endReason: 'NotApproved' });
  });

  test('has to watch: input waits until then and ten seconds after, output does not, and after five minutes it ends', async () => {
    await scene.setPolicy({ approval: 'Watch' });
    const { sessionId, client } = await scene.open(device.deviceId);
    const shell = await device.shell();
    await until(() => client.last('Held') !== undefined);
    client.type('first\r');
    await shell.say('prompt');
    await until(() => client.output.toString() === 'prompt');
    expect(shell.input.toString()).toBe('');
    // Whoever opened it is no second person, whatever the tab says.
    client.tell({ type: 'Present' });
    const watcher = await scene.join(sessionId, scene.colleague);
    expect(shell.input.toString()).toBe('');
    watcher.tell({ type: 'Present' });
    await until(() => shell.input.toString() === 'first\r');
    nowMs += 11_000;
    client.type('second\r');
    await until(() => client.messages.at(-1)?.type === 'Held');
    expect(shell.input.toString()).toBe('first\r');
    watcher.tell({ type: 'Present' });
    await until(() => shell.input.toString() === 'first\rsecond\r');
    watcher.socket.close();
    await until(() => client.messages.filter(({ type }) => type === 'Held').length === 3);
    expect((await scene.terminal(sessionId)).state).toBe('Open');
    nowMs += 301_000;
    await client.closed;
    expect(client.last('Ended')?.reason).toBe('ApproverLeft');
  });
});

test('a second person who is no owner any more is none at once, whatever the tab sends', async () => {
  const { hub } = scene.node;
  const { userId } = await hub.user('second@example.org', { password: 'quiet harbour lantern 7' });
  const second = { userId, cookie: await hub.signIn('second@example.org', 'quiet harbour lantern 7') };
  const system = { actor: { actor: 'System', kind: 'System' }, origin: {} } as const;
  const { projectId } = scene;
  await hub.executor.invoke(system, 'projects_AddProjectMember', { projectId, userId, isOwner: true });
  await scene.setPolicy({ approval: 'Watch' });
  const { sessionId, client } = await scene.open(device.deviceId);
  const shell = await device.shell();
  const watcher = await scene.join(sessionId, second);
  watcher.tell({ type: 'Present' });
  client.type('first\r');
  await until(() => shell.input.toString() === 'first\r');
  // It does not read that it was put out.
  watcher.socket.pause();
  await scene.call('projects_RemoveProjectMember', { projectId, userId });
  await until(() => client.last('People')?.people.length === 1);
  watcher.tell({ type: 'Present' });
  client.type('second\r');
  for (let count = 0; count < 20; count += 1)
    await scene.call('devices_QueryTerminals', { deviceId: device.deviceId });
  expect(shell.input.toString()).toBe('first\r');
  watcher.socket.terminate();
  await scene.call('devices_EndTerminal', { sessionId });
});

describe('the clocks', () => {
  test('end it after 15 minutes without input, and after 8 hours', async () => {
    const idle = await scene.open(device.deviceId);
    await device.shell();
    nowMs += 14 * 60_000;
    idle.client.type('x');
    await until(async () => (await device.shell()).input.length > 0);
    nowMs += 14 * 60_000;
    await (await device.shell()).say('still');
    await until(() => idle.client.outputBytes > 0);
    nowMs += 61_000;
    await idle.client.closed;
    expect(idle.client.last('Ended')?.reason).toBe('Idle');
    const long = await scene.open(device.deviceId);
    await device.shell(1);
    for (let count = 0; count < 34; count += 1) {
      nowMs += 14 * 60_000;
      const before = (await device.shell(1)).input.length;
      long.client.type('x');
      await until(async () => (await device.shell(1)).input.length > before);
    }
    nowMs += 5 * 60_000;
    await long.client.closed;
    expect(long.client.last('Ended')?.reason).toBe('TooLong');
  });

  test('end it a minute after the last one who types has left, watchers or not', async () => {
    const { sessionId, client } = await scene.open(device.deviceId, {}, scene.member);
    const watcher = await scene.join(sessionId);
    client.socket.close();
    await until(() => watcher.last('People')?.people.length === 1);
    nowMs += 61_000;
    await watcher.closed;
    expect(watcher.last('Ended')?.reason).toBe('Left');
  });
});
