import type { Channel, ChannelRequest } from '@corral/multiplex';
import { system } from '../../../test/fresh-executor.ts';
import { ids, type Actor, type Id } from '@corral/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { connectLink, deviceHeaders, isOpen, newDevice, type OpenLink } from '../../../test/device-client.ts';
import {
  commandLineHeaders,
  gatewayScene,
  deviceIdOf,
  type GatewayScene,
} from '../../../test/gateway-scene.ts';

let scene: GatewayScene;
beforeAll(async () => void (scene = await gatewayScene()));
afterAll(() => scene[Symbol.asyncDispose]());

type User = Extract<Actor, { actor: 'User' }>;

/** A user with a command line who may access a device, and the device. */
interface Scene {
  readonly user: User;
  readonly tokenId: Id<'userTokenId'>;
  readonly projectId: Id<'project'>;
  readonly deviceId: Id<'device'>;
  readonly cli: OpenLink;
  readonly device: OpenLink;
  /** The device's ends of the forwards. */
  readonly far: Channel[];
  open(): Promise<Channel>;
}

let count = 0;

async function createScene(
  onRequest?: (request: ChannelRequest) => void,
  gateway: GatewayScene = scene,
): Promise<Scene> {
  const { hub, owner } = gateway;
  const user = await hub.user(`user${(count += 1)}@example.org`);
  const { projectId } = await hub.as(owner, 'projects_CreateProject', { name: `Plant ${count}` });
  await hub.as(system, 'projects_AddProjectMember', { projectId, userId: user.userId });
  const { token } = await hub.as(owner, 'projects_CreateDeploymentToken', {
    projectId,
    name: 'line',
    flags: { autoAccept: true },
  });
  const far: Channel[] = [];
  const echo = (request: ChannelRequest): void => {
    const channel = request.accept();
    far.push(channel);
    void (async () => {
      for await (const bytes of channel) await channel.write(bytes).catch(() => {});
      channel.end();
    })();
  };
  const connected = async (headers: Record<string, string>, onOpened?: typeof onRequest) => {
    const answer = await connectLink(gateway.url, headers, onOpened);
    if (!isOpen(answer)) throw new Error(answer.body.message);
    return answer;
  };
  const device = await connected(deviceHeaders(await newDevice(), token), onRequest ?? echo);
  const { token: userToken, tokenId } = await hub.as(user, 'users_CreateUserToken', { userId: user.userId });
  const cli = await connected(commandLineHeaders(userToken));
  const deviceId = await deviceIdOf(device);
  const open = () => cli.connection.openChannel(`device/${deviceId}/proxy/forward/tcp/80`);
  return { user, tokenId, projectId, deviceId, cli, device, far, open };
}

function leave({ cli, device }: Scene): void {
  cli.connection.close('');
  device.connection.close('');
}

async function exchange(channel: Channel): Promise<void> {
  await channel.write(Buffer.from('there?'));
  expect(String(await channel.read())).toBe('there?');
}

const ends: [string, (scene: Scene) => Promise<unknown>][] = [
  [
    'the user leaves the project',
    ({ projectId, user }) =>
      scene.hub.as(scene.owner, 'projects_RemoveProjectMember', { projectId, userId: user.userId }),
  ],
  [
    'the certificate of the device is revoked',
    async ({ deviceId }) => {
      const { certificateId } = (await scene.details(deviceId)).certificates[0]!;
      const input = { certificateId, status: 'Revoked' } as const;
      await scene.hub.as(scene.owner, 'devices_SetDeviceCertificateStatus', input);
    },
  ],
  [
    "the user's token is deleted",
    ({ user, tokenId }) => scene.hub.as(user, 'users_DeleteUserToken', { tokenId }),
  ],
  [
    'the user is deleted',
    ({ user }) =>
      scene.hub.as({ actor: 'System', kind: 'System' }, 'users_DeleteUser', { userId: user.userId }),
  ],
  [
    'the device is deleted',
    ({ deviceId }) => scene.hub.as(scene.owner, 'devices_DeleteDevice', { deviceId }),
  ],
  [
    'the project is deleted',
    ({ projectId }) => scene.hub.as(scene.owner, 'projects_DeleteProject', { projectId }),
  ],
  [
    'the user has left the project without an event',
    ({ projectId, user }) =>
      sql`delete from project_members where project_id = ${ids.project.raw(projectId)} and user_id = ${ids.user.raw(user.userId)}`.execute(
        scene.hub.database.db,
      ),
  ],
];

describe('live forwards are aborted at both ends', () => {
  const trials = 2;
  const forwards = 3;

  test.each(ends)('when %s', async (_when, end) => {
    const one = async (): Promise<void> => {
      const at = await createScene();
      const channels = await Promise.all(Array.from({ length: forwards }, () => at.open()));
      await Promise.all(channels.map(exchange));
      await end(at);
      const over = channels.map(async (channel) => expect(await channel.read()).toBeNull());
      // The far end echoes: it has been aborted once writing fails.
      await Promise.all([...over, ...at.far.map((channel) => channel.stopped)]);
      leave(at);
    };
    await Promise.all(Array.from({ length: trials }, one));
  });
});

test('the token of an administrator accesses no more than a member, also while the forward is open', async () => {
  const at = await createScene();
  await scene.hub.as({ actor: 'System', kind: 'System' }, 'users_SetUserIsAdmin', {
    userId: at.user.userId,
    isAdmin: true,
  });
  const channel = await at.open();
  await exchange(channel);
  await scene.hub.as(scene.owner, 'projects_RemoveProjectMember', {
    projectId: at.projectId,
    userId: at.user.userId,
  });
  expect(await channel.read()).toBeNull();
  await expect(at.open()).rejects.toThrow('permission denied');
  leave(at);
});

describe('many forwards at once', () => {
  test('use all channels of a connection, and one more is refused with a reason while the others continue', async () => {
    // A forward that finds no free channel waits for one until then.
    await using gateway = await gatewayScene({ forwardTimeoutMs: 5_000 });
    const at = await createScene(undefined, gateway);
    const answers = await Promise.allSettled(Array.from({ length: 66 }, () => at.open()));
    const channels = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    const reasons = answers.flatMap((answer) =>
      answer.status === 'rejected' ? [String((answer.reason as Error).message)] : [],
    );
    // The executor channel of `deviceIdOf` uses one of them.
    expect(channels.length).toBeGreaterThanOrEqual(63);
    expect(new Set(reasons)).toEqual(new Set(['connection channel limit reached']));
    await Promise.all(channels.map(exchange));
    leave(at);
  });

  test('open, break and close without leaking anything', async () => {
    const at = await createScene();
    for (let left = inject('figures').abortedForwards; left > 0; left -= 30) {
      const channels = await Promise.all(Array.from({ length: 30 }, () => at.open()));
      await Promise.all(channels.map(exchange));
      for (const [index, channel] of channels.entries()) {
        if (index % 3 === 0) channel.abort('gone');
        else if (index % 3 === 1) channel.end();
        else at.far[index]?.abort('gone');
      }
      for (const channel of at.far.splice(0)) channel.abort('gone');
      await Promise.all(channels.map((channel) => (channel.abort(''), channel.closed)));
    }
    await vi.waitFor(() => expect(at.cli.connection.channelCount).toBe(0));
    await vi.waitFor(() => expect(at.device.connection.channelCount).toBeLessThanOrEqual(1));
    const channel = await at.open();
    await exchange(channel);
    leave(at);
  });

  test('that the device has not accepted are dropped when the command line disconnects', async () => {
    const requests: ChannelRequest[] = [];
    const at = await createScene((request) => requests.push(request));
    const opening = Promise.allSettled(Array.from({ length: 10 }, () => at.open()));
    await vi.waitFor(() => expect(requests).toHaveLength(10));
    at.cli.connection.close('');
    expect((await opening).map(({ status }) => status)).toEqual(Array(10).fill('rejected'));
    const channels = requests.map((request) => request.accept());
    expect(await Promise.all(channels.map((channel) => channel.read()))).toEqual(Array(10).fill(null));
    at.device.connection.close('');
  });
});
