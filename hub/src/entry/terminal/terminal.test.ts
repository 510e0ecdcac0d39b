import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../../../test/played-shell.ts';
import { frameOf, frameTypes } from './terminal-frames.ts';
import { openTerminalSocket, TerminalClient } from '../../../test/terminal-client.ts';
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

const ended = async (sessionId: string) => {
  await until(async () => (await scene.terminal(sessionId)).state === 'Ended');
  return scene.terminal(sessionId);
};

/** The output in a recording. */
function recorded(cast: string): string {
  const lines = cast.trim().split('\n').slice(1);
  const events = lines.map((line) => JSON.parse(line) as [number, string, string]);
  return events.flatMap(([, kind, text]) => (kind === 'o' ? [text] : [])).join('');
}

describe('a terminal', () => {
  test('passes on what is typed, what the device says, the size and the exit status, and its recording has the same output and its digest', async () => {
    const { sessionId, client } = await scene.open(device.deviceId, {
      user: 'ada',
      reason: 'Look at the log',
    });
    const shell = await device.shell();
    expect(shell.endpoint).toBe('terminal/ada');
    client.resize(120, 40);
    client.type('secret words\r');
    await until(() => shell.input.toString() === 'secret words\r' && shell.sizes.length === 1);
    expect(shell.sizes).toEqual(['120x40']);
    const said = `\u001b[31mred\u001b[0m ż ${'x'.repeat(200_000)} end`;
    await shell.say(said);
    client.resize(80, 25);
    await until(() => shell.sizes.length === 2);
    await shell.exit(3);
    expect(await client.closed).toBe(1000);
    expect([client.output.toString(), client.status]).toEqual([said, 3]);
    expect(client.last('Ended')).toMatchObject({ reason: 'Exited', status: 3 });
    expect(client.messages.map(({ type }) => type)).toEqual(['People', 'Ended']);
    const row = await ended(sessionId);
    expect(row).toMatchObject({ user: 'ada', reason: 'Look at the log', endReason: 'Exited', exitStatus: 3 });
    const { status, text, headers } = await scene.recording(sessionId);
    expect([status, headers['content-type']]).toEqual([200, 'application/x-asciicast']);
    const [head = ''] = text.split('\n');
    expect(JSON.parse(head)).toMatchObject({ version: 2, width: 120, height: 40 });
    expect(recorded(text)).toBe(said);
    expect(text).toContain('"r","80x25"');
    expect(text).not.toContain('secret words');
    expect(row.recordedBytes).toBeGreaterThan(said.length);
    // The digest of the chain of the parts.
    expect(row.digest).toMatch(/^sha256_[0-9a-f]{64}$/);
    const log = await scene.call('projects_QueryAuditLog', { projectId: scene.projectId });
    const events = log.json['events'] as { event: string; data: Record<string, unknown> }[];
    const end = events.find(
      ({ event, data }) => event === 'devices_TerminalEnded' && data['sessionId'] === sessionId,
    );
    expect(end?.data).toMatchObject({
      digest: row.digest,
      recordedBytes: row.recordedBytes,
      endReason: 'Exited',
    });
    expect(events.some(({ event }) => event === 'devices_RecordingRead')).toBe(true);
  });

  test('keeps characters whole that are cut between pieces of output, and replaces bytes that are none', async () => {
    const { sessionId, client } = await scene.open(device.deviceId);
    const shell = await device.shell();
    const bytes = Buffer.from('a€b');
    await shell.say(bytes.subarray(0, 2));
    await shell.say(bytes.subarray(2));
    await shell.say(Buffer.from([0xff, 0x41]));
    await shell.exit(0);
    await client.closed;
    await ended(sessionId);
    expect(client.output).toEqual(Buffer.concat([bytes, Buffer.from([0xff, 0x41])]));
    expect(recorded((await scene.recording(sessionId)).text)).toBe('a€b\ufffdA');
  });

  test('takes a paste of 1 MiB at the pace of the device, which echoes it', async () => {
    const { client } = await scene.open(device.deviceId);
    const shell = await device.shell();
    client.tell({ type: 'Drawn', bytes: 0 });
    const paste = randomBytes(1_048_576);
    for (let at = 0; at < paste.length; at += 65_536) client.type(paste.subarray(at, at + 65_536));
    const echoing = (async () => {
      for (let at = 0; at < paste.length;) {
        await until(() => shell.input.length > at);
        const part = shell.input.subarray(at);
        at += part.length;
        await shell.say(part);
      }
    })();
    await until(() => {
      client.tell({ type: 'Drawn', bytes: client.outputBytes });
      return client.outputBytes === paste.length;
    });
    await echoing;
    const digestOf = (one: Uint8Array) => createHash('sha256').update(one).digest('hex');
    expect([digestOf(shell.input), digestOf(client.output)]).toEqual([digestOf(paste), digestOf(paste)]);
  });

  test('says why where the device refuses the user: a channel that ends without a frame', async () => {
    const refusing = await scene.connectDevice({
      decides(request) {
        request.accept().end();
        return true;
      },
    });
    const { sessionId, client } = await scene.open(refusing.deviceId, { user: 'nobody' });
    await client.closed;
    expect(client.last('Ended')?.message).toMatch(/the user is not allowed there/);
    expect((await ended(sessionId)).endReason).toBe('DeviceRefused');
    refusing.link.connection.close('');
  });

  test('says why where the device rejects it', async () => {
    const rejecting = await scene.connectDevice({
      decides(request) {
        request.reject('unknown endpoint');
        return true;
      },
    });
    const { client } = await scene.open(rejecting.deviceId);
    await client.closed;
    expect(client.last('Ended')?.reason).toBe('DeviceUnreachable');
    rejecting.link.connection.close('');
  });

  test('ends without a status where an agent of 2026-04 ends it, and where the device disconnects', async () => {
    const first = await scene.open(device.deviceId);
    const shell = await device.shell();
    await shell.say('bye');
    shell.channel.end();
    await first.client.closed;
    expect(first.client.last('Ended')).toEqual({
      type: 'Ended',
      reason: 'Exited',
      message: 'The shell ended.',
    });
    const second = await scene.open(device.deviceId);
    await (await device.shell(1)).say('still here');
    device.link.connection.close('');
    await second.client.closed;
    expect(second.client.last('Ended')?.reason).toBe('DeviceDisconnected');
    expect((await ended(second.sessionId)).endReason).toBe('DeviceDisconnected');
  });

  test('ends where the device sends what is no frame, and a client leaves that does so', async () => {
    const { sessionId, client } = await scene.open(device.deviceId);
    const shell = await device.shell();
    for (const message of ['0000000100', '00000002', '000000050100500018aa', '0000000102']) {
      const other = await scene.join(sessionId);
      other.socket.send(Buffer.from(message, 'hex'));
      // The first one is an empty frame of data, which is fine.
      if (message === '0000000100') other.socket.close();
      else expect(await other.closed).toBe(1008);
    }
    const odd = await scene.join(sessionId);
    odd.socket.send('{"type":"Something"}');
    expect(await odd.closed).toBe(1008);
    expect((await scene.terminal(sessionId)).state).toBe('Open');
    await shell.channel.write(Buffer.from([0, 0, 0, 1, 7]));
    await client.closed;
    expect(client.last('Ended')?.reason).toBe('DeviceMalformed');
    await shell.ended;
  });

  test('ends when the device says how the shell ended, whatever that sends then', async () => {
    const { client } = await scene.open(device.deviceId);
    const shell = await device.shell();
    await shell.say('last');
    const late = [
      frameOf(frameTypes.exit, Buffer.from([0, 0, 0, 3])),
      frameOf(frameTypes.data, Buffer.from('late')),
    ];
    await shell.channel.write(Buffer.concat([...late, frameOf(frameTypes.exit, Buffer.alloc(4))]));
    await client.closed;
    expect([client.output.toString(), client.status, client.last('Ended')?.status]).toEqual(['last', 3, 3]);
    await shell.ended;
  });

  test('is not offered to agents of 2025, nor to those that have not said over their connection that they serve it', async () => {
    const silent = await scene.connectDevice({ info: null });
    const access = await scene.call('devices_GetTerminalAccess', { deviceId: silent.deviceId });
    expect(access.json['status']).toBe('NotOffered');
    const answer = await scene.call('devices_OpenTerminal', { deviceId: silent.deviceId });
    expect(answer.json['message']).toMatch(/^The device does not offer terminals\./);
    // Somebody else says so for it.
    await scene.call('devices_SetDeviceProperty', {
      deviceId: silent.deviceId,
      name: 'dev.nexigon.system.info',
      value: { agent: { config: { terminal: { enabled: true } } } },
    });
    const { client } = await scene.open(silent.deviceId);
    await client.closed;
    expect(client.last('Ended')?.reason).toBe('DeviceUnreachable');
    expect(silent.shells).toEqual([]);
    silent.link.connection.close('');
  });
});

describe('the door of terminals', () => {
  test('takes a ticket once, of whoever asked for it, from the own pages', async () => {
    const ask = async () => (await scene.call('devices_OpenTerminal', { deviceId: device.deviceId })).json;
    const { sessionId, ticket } = (await ask()) as { sessionId: string; ticket: string };
    const refused = async (opening: ReturnType<TerminalScene['enter']>) => {
      const answer = await opening;
      if (answer instanceof TerminalClient) throw new Error('It was let in.');
      return answer.status;
    };
    expect(await refused(scene.enter(sessionId, 'x'))).toBe(403);
    expect(await refused(scene.enter(sessionId, ticket, scene.colleague))).toBe(403);
    expect(await refused(scene.enter(sessionId, ticket, { ...scene.owner, cookie: '' }))).toBe(401);
    const { url } = scene.node.hub;
    const address = `${url.replace('http', 'ws')}/api/v1/terminal/${sessionId}?ticket=${ticket}`;
    const cross = { cookie: scene.owner.cookie, origin: 'https://elsewhere.example' };
    expect(await refused(openTerminalSocket(address, { headers: cross }))).toBe(403);
    const another = (await ask()) as { sessionId: string; ticket: string };
    expect(await refused(scene.enter(sessionId, another.ticket))).toBe(403);
    const client = await scene.enter(sessionId, ticket);
    expect(client).toBeInstanceOf(TerminalClient);
    expect(await refused(scene.enter(sessionId, ticket))).toBe(403);
    const late = (await ask()) as { sessionId: string; ticket: string };
    scene.node.hub.advance(31);
    expect(await refused(scene.enter(late.sessionId, late.ticket))).toBe(403);
    for (const one of [sessionId, another.sessionId, late.sessionId])
      await scene.call('devices_EndTerminal', { sessionId: one });
  });

  test('paces those who have no account', async () => {
    const paced = await freshTerminalScene({}, { env: { CORRAL_ANONYMOUS_REQUESTS_PER_SECOND: '1' } });
    const stranger = { ...paced.owner, cookie: 'corral_session=nobody' };
    const enter = () => paced.enter('term_20261120-1100-AAAAAAAA', 'x', stranger);
    const answers = await Promise.all(Array.from({ length: 60 }, enter));
    expect(answers.some((answer) => 'status' in answer && answer.status === 429)).toBe(true);
    expect(await paced.enter('term_20261120-1100-AAAAAAAA', 'x')).toMatchObject({ status: 403 });
    await paced.node[Symbol.asyncDispose]();
  });

  test('lets a token in only where the policy does, by its header', async () => {
    const { hub } = scene.node;
    const asOwner = {
      actor: { actor: 'User', kind: 'User', userId: scene.owner.userId },
      origin: { steppedUpAt: '9999-01-01T00:00:00Z' },
    } as const;
    const { token } = await hub.executor.invoke(asOwner, 'users_CreateUserToken', {
      userId: scene.owner.userId,
    });
    const headers = { authorization: `Bearer ${token}` };
    const open = () => hub.invoke('devices_OpenTerminal', { deviceId: device.deviceId }, headers);
    expect((await open()).json['message']).toMatch(/^User tokens may not open terminals in this project\./);
    await scene.setPolicy({ allowsTokens: true });
    const { sessionId, ticket } = (await open()).json as { sessionId: string; ticket: string };
    // The same user by a session is somebody else.
    expect(await scene.enter(sessionId, ticket)).toMatchObject({ status: 403 });
    const address = `${hub.url.replace('http', 'ws')}/api/v1/terminal/${sessionId}?ticket=${ticket}`;
    const client = await openTerminalSocket(address, { headers });
    if (!(client instanceof TerminalClient)) throw new Error(client.message);
    await scene.setPolicy({ allowsTokens: false });
    await client.closed;
    expect(client.last('Ended')?.reason).toBe('AccessEnded');
  });
});
