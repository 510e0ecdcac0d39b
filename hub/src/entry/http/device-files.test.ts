import { createHash, randomBytes } from 'node:crypto';
import { fileCommands, filePartBytes, ids, type Json } from '@corral/contract';
import { ByteReader, type Channel, type ChannelRequest } from '@corral/multiplex';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { tickOperations } from '../../domains/operations/jobs/operation-ticks.ts';
import { system } from '../../../test/http-hub.ts';
import { freshTerminalScene, type PlayedDevice, type TerminalScene } from '../../../test/terminal-scene.ts';

type Invoked = { readonly command: string; readonly input: Readonly<Record<string, Json>> };
type Played = {
  readonly lines?: readonly (string | readonly string[])[];
  readonly output?: Json;
  readonly error?: string;
  readonly waits?: (channel: Channel) => void;
};

let scene: TerminalScene;
let device: PlayedDevice;
let invoked: Invoked[];
/** How the device answers a command. */
let play: (call: Invoked) => Played | 'ends';

const offering = { agent: { config: { terminal: { enabled: true }, commands: { enabled: true } } } };
const manifest = { commands: [{ name: 'read-file' }, { name: 'write-file' }, { name: 'reboot' }] };
const digestOf = (content: Buffer): string => `sha256_${createHash('sha256').update(content).digest('hex')}`;

beforeAll(async () => {
  scene = await freshTerminalScene();
});
afterAll(() => scene.node[Symbol.asyncDispose]());
beforeEach(async () => {
  await scene.setPolicy({});
  invoked = [];
  device = await connect();
  return () => device.link.connection.close('');
});

async function connect(
  info: object | null = offering,
  offered: Json | null = manifest,
): Promise<PlayedDevice> {
  const connected = await scene.connectDevice({ info, decides });
  const { deviceId, link } = connected;
  if (offered !== null)
    await (
      await link.rpc()
    ).invoke('devices_SetProperty', { deviceId, name: 'dev.nexigon.commands', value: offered });
  return connected;
}

function decides(request: ChannelRequest): boolean {
  if (request.endpoint !== 'handler') return false;
  void serve(request.accept());
  return true;
}

async function serve(channel: Channel): Promise<void> {
  const reader = new ByteReader(channel);
  const head = Buffer.from((await reader.read(4)) ?? []);
  const call = JSON.parse(Buffer.from((await reader.read(head.readUInt32BE())) ?? []).toString()) as Invoked;
  invoked.push(call);
  const played = play(call);
  if (played === 'ends') return channel.abort('gone');
  if (played.waits !== undefined) return played.waits(channel);
  const send = async (message: object): Promise<void> => {
    const body = Buffer.from(JSON.stringify(message));
    const size = Buffer.alloc(4);
    size.writeUInt32BE(body.length);
    await channel.write(Buffer.concat([size, body]));
  };
  const { lines = [], output, error } = played;
  for (const line of lines) await send({ type: 'Log', lines: [line].flat().map((text) => `${text}\n`) });
  await send({
    type: 'Done',
    status: error === undefined ? 'Ok' : 'Error',
    output,
    error,
    logTail: [],
    durationMs: 1,
  });
  channel.end();
}

const ask = (more: object = {}, who?: TerminalScene['owner']) =>
  scene.call(
    'devices_IssueFileUrl',
    { deviceId: device.deviceId, path: '/var/log/press.log', access: 'Read', ...more },
    who,
  );
const put = (content: Buffer, more: object = {}) =>
  ask({ access: 'Write', sizeBytes: content.length, digest: digestOf(content), ...more });

async function urlOf(asked: ReturnType<typeof ask>): Promise<string> {
  const { json, text } = await asked;
  if (typeof json['url'] !== 'string') throw new Error(text);
  const { pathname, search } = new URL(json['url']);
  return `${pathname}${search}`;
}
const sentence = async (asked: ReturnType<typeof ask>) => (await asked).json['message'];
const get = (path: string) => scene.node.hub.call(path);
const send = (path: string, body: Buffer = Buffer.alloc(0)) =>
  scene.node.hub.call(path, { method: 'PUT', body });

async function logged(): Promise<string> {
  const { text } = await scene.call('projects_QueryAuditLog', { projectId: scene.projectId });
  return text;
}

const linesOf = (bytes: Buffer): string[] => bytes.toString('base64').match(/.{1,9996}/gu) ?? [];

describe('a file', () => {
  test('is fetched in parts, and the audit log has its path, size and digest, and nothing has its content', async () => {
    const content = Buffer.concat([randomBytes(filePartBytes), Buffer.from('the end of the content')]);
    play = ({ input: { part } }) =>
      part === undefined
        ? { output: { sizeBytes: content.length, digest: digestOf(content) } }
        : {
            lines: linesOf(content.subarray(Number(part) * filePartBytes).subarray(0, filePartBytes)),
            output: {},
          };
    const url = await urlOf(ask({ reason: 'Ticket 4711' }));
    expect((await get(url)).json).toEqual({ sizeBytes: content.length, digest: digestOf(content) });
    const server = `${scene.node.hub.url}${url}`;
    const parts = await Promise.all(
      [0, 1].map(async (part) => (await fetch(`${server}&part=${part}`)).arrayBuffer()),
    );
    expect(Buffer.concat(parts.map((part) => Buffer.from(part))).equals(content)).toBe(true);
    expect(invoked.map(({ command }) => command)).toEqual(Array(3).fill(fileCommands.Read));
    const { events } = JSON.parse(await logged()) as { events: { event: string; data: object }[] };
    const of = { deviceId: device.deviceId, path: '/var/log/press.log', access: 'Read' };
    expect(events.find(({ event }) => event === 'devices_FileUrlIssued')?.data).toMatchObject({
      ...of,
      reason: 'Ticket 4711',
    });
    expect(events.find(({ event }) => event === 'devices_FileTransferred')).toMatchObject({
      data: { ...of, sizeBytes: content.length, digest: digestOf(content) },
      actor: { userId: scene.owner.userId },
    });
    expect((await scene.call('devices_QueryOperations', { deviceId: device.deviceId })).json).toEqual({
      operations: [],
    });
  });

  test('is recorded once where its parts alone are fetched, whichever comes first', async () => {
    play = () => ({ lines: ['YQ=='], output: {} });
    const url = await urlOf(ask({ path: '/var/log/parts.log' }));
    for (const part of [1, 2, 0]) expect((await get(`${url}&part=${part}`)).text).toBe('a');
    const { events } = JSON.parse(await logged()) as { events: { event: string; data: { path?: string } }[] };
    const transferred = events.filter(
      ({ event, data }) => event === 'devices_FileTransferred' && data.path === '/var/log/parts.log',
    );
    expect(transferred).toHaveLength(1);
  });

  test('is asked for no longer than its client waits', async () => {
    const asked = Promise.withResolvers<Channel>();
    play = () => ({ waits: asked.resolve });
    const client = new AbortController();
    const answer = fetch(`${scene.node.hub.url}${await urlOf(ask())}`, { signal: client.signal });
    const channel = await asked.promise;
    client.abort();
    await expect(answer).rejects.toThrow();
    await vi.waitFor(() => expect(channel.isClosed).toBe(true), 10_000);
  });

  test('is put in parts, and recorded when all of it is there', async () => {
    const content = Buffer.from('press = "4"');
    const answers: Played[] = [
      { output: { parts: 0, isDone: false } },
      { output: { parts: 0, isDone: true } },
    ];
    play = () => answers.shift() ?? {};
    const url = await urlOf(put(content, { path: '/etc/press.conf' }));
    expect((await send(url)).json).toEqual({ parts: 0, isDone: false });
    expect(await logged()).not.toMatch(/FileTransferred[^}]*press\.conf/u);
    expect((await send(`${url}&part=0`, content)).json).toEqual({ parts: 0, isDone: true });
    const of = { path: '/etc/press.conf', size: content.length, digest: digestOf(content) };
    expect(invoked.map(({ input }) => input)).toEqual([
      of,
      { ...of, part: 0, data: content.toString('base64') },
    ]);
    const text = await logged();
    expect(text).toContain('devices_FileTransferred');
    expect(text).toContain(`"path":"/etc/press.conf"`);
    expect(text).not.toContain(content.toString('base64'));
    expect((await send(`${url}&part=0`, Buffer.alloc(filePartBytes + 1))).status).toBe(413);
  });

  test('gives the sentence of the device where it refuses, in one line', async () => {
    play = () => ({
      lines: ['/etc/x is not in \u001b[31mthe list'],
      error: 'The command ended with exit code 1.',
    });
    const url = await urlOf(ask());
    expect((await get(url)).json['message']).toBe('The device says: /etc/x is not in  [31mthe list.');
    play = () => 'ends';
    expect((await get(url)).status).toBe(503);
  });

  test.each<[string, Played]>([
    ['no size', { output: { digest: 'sha256_' } }],
    ['a list', { output: [1] }],
    ['nothing', {}],
  ])('of a device that answers with %s is an error', async (_what, played) => {
    play = () => played;
    expect((await get(await urlOf(ask()))).json['message']).toBe(
      'The device sent something that is no result.',
    );
  });

  test('of a device that writes half a million empty lines costs as much as they', async () => {
    const empty = Array.from({ length: 6 }, () => Array.from({ length: 90_000 }, () => ''));
    play = () => ({ lines: [...empty, 'and that is why'], error: 'failed' });
    expect((await get(await urlOf(ask()))).json['message']).toBe('The device says: and that is why.');
  });

  test('of a device that sends more than a part is cut off', async () => {
    play = () => ({ lines: linesOf(randomBytes(filePartBytes + 3_000)), output: {} });
    expect((await get(`${await urlOf(ask())}&part=0`)).status).toBe(400);
  });
});

describe('whoever may not open a terminal', () => {
  test.each([
    ['access', { access: 'Off' }, /^Terminals are off/],
    ['owners', { access: 'Owners' }, /^Only owners of the project/],
    [
      'a second person who approves',
      { approval: 'Approve' },
      /need a second person: files can be neither fetched nor put/,
    ],
    ['a second person who watches', { approval: 'Watch' }, /need a second person/],
    ['a recording', { recording: 'Required' }, /have to be recorded, which files are not/],
    ['a reason', { isReasonNeeded: true }, /^Say why: /],
  ] as const)(
    'for %s fetches and puts no file, and a URL issued before stops',
    async (_what, policy, reason) => {
      play = () => ({ output: { sizeBytes: 1, digest: digestOf(Buffer.from('a')) } });
      const url = await urlOf(ask({}, scene.member));
      await scene.setPolicy(policy);
      expect(await sentence(ask({}, scene.member))).toMatch(reason);
      expect(
        await sentence(
          ask({ access: 'Write', sizeBytes: 1, digest: digestOf(Buffer.from('a')) }, scene.member),
        ),
      ).toMatch(reason);
      expect((await get(url)).status).toBe('isReasonNeeded' in policy ? 200 : 403);
    },
  );

  test('by a user token needs the project to allow it, and a device asks in vain', async () => {
    const { userId } = scene.owner;
    const { hub } = scene.node;
    const { json } = await scene.call('users_CreateUserToken', { userId, name: 'script' });
    const byToken = () =>
      hub.invoke(
        'devices_IssueFileUrl',
        { deviceId: device.deviceId, path: '/x', access: 'Read' },
        {
          authorization: `Bearer ${String(json['token'])}`,
        },
      );
    expect((await byToken()).json['message']).toMatch(/^User tokens may not open terminals/);
    await scene.setPolicy({ allowsTokens: true });
    play = () => ({ output: { sizeBytes: 1, digest: digestOf(Buffer.from('a')) } });
    const url = new URL(String((await byToken()).json['url']));
    expect((await get(`${url.pathname}${url.search}`)).status).toBe(200);
    await scene.call('users_DeleteUserToken', { tokenId: json['tokenId'] });
    expect((await get(`${url.pathname}${url.search}`)).status).toBe(403);
    const rpc = await device.link.rpc();
    const input = { deviceId: device.deviceId, path: '/x', access: 'Read' } as const;
    await expect(rpc.invoke('devices_IssueFileUrl', input)).rejects.toThrow();
    expect(invoked).toHaveLength(1);
  });

  test('is out with the next part after a sign-out, and after leaving the project', async () => {
    const { hub } = scene.node;
    const [first, second] = await Promise.all(
      ['one@example.org', 'two@example.org'].map(async (email) => {
        const { userId } = await hub.user(email, { password: 'quiet harbour lantern 7' });
        await hub.executor.invoke(system, 'projects_AddProjectMember', {
          projectId: scene.projectId,
          userId,
        });
        return { userId, cookie: await hub.signIn(email, 'quiet harbour lantern 7') };
      }),
    );
    play = () => ({ lines: ['YQ=='], output: {} });
    const urls = [await urlOf(ask({}, first)), await urlOf(ask({}, second))];
    for (const url of urls) expect((await get(`${url}&part=0`)).text).toBe('a');
    await hub.call('/api/private/logout', {
      method: 'POST',
      body: {},
      headers: { cookie: first?.cookie ?? '', 'sec-fetch-site': 'same-origin' },
    });
    await hub.executor.invoke(system, 'projects_RemoveProjectMember', {
      projectId: scene.projectId,
      userId: second?.userId as never,
    });
    for (const url of urls) expect((await get(`${url}&part=0`)).status).toBe(403);
  });

  test('has no use for a forged URL, nor for one of another file, another way or another time', async () => {
    const url = await urlOf(ask());
    const forged = new URL(url, 'http://hub');
    const grant = JSON.parse(
      Buffer.from(forged.searchParams.get('grant') ?? '', 'base64url').toString(),
    ) as object;
    for (const change of [{ path: '/etc/shadow' }, { access: 'Write' }, { expiresMs: 9e15 }]) {
      forged.searchParams.set(
        'grant',
        Buffer.from(JSON.stringify({ ...grant, ...change })).toString('base64url'),
      );
      for (const method of ['GET', 'PUT'])
        expect((await scene.node.hub.call(`${forged.pathname}${forged.search}`, { method })).status).toBe(
          403,
        );
    }
    expect((await send(url)).status).toBe(403);
    expect((await get('/api/v1/files/x')).status).toBe(403);
    expect((await get(`${url}&part=-1`)).status).toBe(400);
    scene.node.hub.advance(301);
    expect((await get(url)).status).toBe(403);
    expect(invoked).toEqual([]);
  });
});

test.each(['../etc', 'etc/x', '/a\nb', '/a"b', '/a\\b', '/'])('the path %j is refused', async (path) => {
  expect(await sentence(ask({ path }))).toMatch(/^The path of a file on a device begins with/);
});

test.each([
  ['commands are off', { agent: { config: {} } }, manifest],
  ['it does not list the command', offering, { commands: [{ name: 'reboot' }] }],
  ['it said nothing over this connection', offering, null],
])('a device is not asked where %s', async (_what, info, offered) => {
  device.link.connection.close('');
  device = await connect(info, offered);
  expect(await sentence(ask())).toMatch(
    /^The device does not offer the command read-file\. Its owner adds it/,
  );
});

test('a device that calls no newer name is not asked, whatever its properties say', async () => {
  device.link.connection.close('');
  device = await connect(null, null);
  const { deviceId } = device;
  for (const [name, value] of Object.entries({
    'dev.nexigon.system.info': offering,
    'dev.nexigon.commands': manifest,
  }))
    await scene.call('devices_SetDeviceProperty', { deviceId, name, value });
  expect((await get(await urlOf(ask()))).status).toBe(503);
  expect(invoked).toEqual([]);
});

describe.each(Object.values(fileCommands))('no operation runs %s', (command) => {
  const steps = [{ kind: 'DeviceCommand' as const, command, input: { path: '/etc/passwd' } }];

  test('of a device or of many, made or previewed, by whoever owns the project', async () => {
    const { projectId } = scene;
    const selector = { deviceIds: [device.deviceId], predicates: [] };
    const definition = { projectId, name: 'x', selector, stages: [], steps };
    const refused = new RegExp(`^Step 1: The command ${command} is no step of an operation`);
    for (const [name, input] of [
      ['devices_CreateOperation', { deviceId: device.deviceId, name: 'x', steps }],
      ['fleet_CreateOperation', definition],
      ['fleet_PreviewOperation', definition],
    ] as const)
      expect(await sentence(scene.call(name, input))).toMatch(refused);
  });

  test('that an older hub has taken', async () => {
    const { deviceId } = device;
    const { hub } = scene.node;
    const { json } = await scene.call('devices_CreateOperation', {
      deviceId,
      name: 'x',
      steps: [{ ...steps[0], command: 'reboot' }],
    });
    await hub.database.db
      .updateTable('device_operations')
      .set({ steps: JSON.stringify(steps) })
      .where('device_id', '=', ids.device.raw(deviceId))
      .execute();
    const { deviceOperationId } = json;
    await scene.call('devices_StartOperation', { deviceOperationId });
    await vi.waitFor(async () => {
      await tickOperations(hub.executor);
      const { json: found } = await scene.call('devices_GetOperation', { deviceOperationId });
      expect(found['summary']).toMatchObject({
        status: 'Failed',
        lastError: expect.stringContaining('is no step'),
      });
    }, 10_000);
    expect(invoked).toEqual([]);
  });
});
