import { randomBytes } from 'node:crypto';
import { channelReasons, isRevocation, resumableForwards } from '@corral/contract';
import { BytePool, StreamAcceptor, StreamOpener, type Channel, type ChannelRequest } from '@corral/multiplex';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { connectLink, deviceHeaders, isOpen, newDevice, type OpenLink } from '../../../test/device-client.ts';
import { system } from '../../../test/fresh-executor.ts';
import {
  commandLineHeaders,
  deviceIdOf,
  gatewayScene,
  type GatewayScene,
} from '../../../test/gateway-scene.ts';

let scene: GatewayScene;
beforeAll(async () => void (scene = await gatewayScene()));
afterAll(() => scene[Symbol.asyncDispose]());

const schedule = (run: () => void, delayMs: number): (() => void) => {
  const timer = setTimeout(run, delayMs);
  return () => clearTimeout(timer);
};
const now = (): number => performance.now();

async function connected(
  headers: Record<string, string>,
  onRequest?: (request: ChannelRequest) => void,
  info?: string,
): Promise<OpenLink> {
  const answer = await connectLink(scene.url, headers, onRequest, info);
  if (!isOpen(answer)) throw new Error(answer.body.message);
  return answer;
}

const commandLine = async (): Promise<OpenLink> => connected((await scene.userHeaders()).headers);
const open = ({ connection }: OpenLink, deviceId: string, kind = 'resumable'): Promise<Channel> =>
  connection.openChannel(`device/${deviceId}/proxy/${kind}/tcp/80`);

test.each(['', 'corral-agent/0.1.0', 'resumable-forwards-not', 'corral-agent/9 not-resumable-forwards'])(
  'nothing but a plain forward is requested of a device that says "%s"',
  async (info) => {
    const requested: string[] = [];
    const device = await connected(
      deviceHeaders(await newDevice(), scene.token),
      (request) => {
        requested.push(request.endpoint);
        request.accept();
      },
      info,
    );
    const deviceId = await deviceIdOf(device);
    const user = await commandLine();
    await expect(open(user, deviceId)).rejects.toThrow(channelReasons.notResumable);
    await open(user, deviceId, 'forward');
    expect(requested).toEqual(['forward/tcp/80']);
    for (const { connection } of [user, device]) connection.close('');
  },
);

const info = resumableForwards.infoOf('corral-agent/0.1.0');

/** The program at a device that sends back what it receives. */
function echoAcceptor(): { acceptor: StreamAcceptor; serve: (request: ChannelRequest) => void } {
  const acceptor = new StreamAcceptor({ pool: new BytePool(0), schedule, now, isRevocation });
  const serve = (request: ChannelRequest): void =>
    acceptor.serve(request.accept(), (stream) => {
      stream.confirm();
      void stream.drain((bytes) => stream.writeOwned(Uint8Array.from(bytes))).then(() => stream.end());
    });
  return { acceptor, serve };
}

const openStream = (channel: Channel, reopen: () => Promise<Channel>): StreamOpener['stream'] =>
  new StreamOpener(channel, {
    sessionId: randomBytes(16),
    pool: new BytePool(0),
    schedule,
    now,
    isRevocation,
    reopen,
  }).stream;

test('a stream goes on over a new link of the user and over a new link of the device, and one whose user has left the project ends at once', async () => {
  const { acceptor, serve } = echoAcceptor();
  const known = await newDevice();
  let device = await connected(deviceHeaders(known, scene.token), serve, info);
  const deviceId = await deviceIdOf(device);
  const member = await scene.hub.user('member@example.org');
  await scene.hub.as(system, 'projects_AddProjectMember', {
    projectId: scene.projectId,
    userId: member.userId,
  });
  const { token } = await scene.hub.as(member, 'users_CreateUserToken', { userId: member.userId });
  let user = await connected(commandLineHeaders(token));
  const stream = openStream(await open(user, deviceId), () => vi.waitFor(() => open(user, deviceId)));
  let received = '';
  void stream.drain((bytes) => void (received += Buffer.from(bytes).toString()));
  const echoed = async (word: string): Promise<void> => {
    void stream.writeOwned(Buffer.from(word));
    await vi.waitFor(() => expect(received).toContain(word));
  };
  await echoed('one ');
  const before = user;
  user = await connected(commandLineHeaders(token));
  before.socket.destroy();
  await echoed('two ');
  device.socket.destroy();
  device = await connected(deviceHeaders(known, scene.token), serve, info);
  await echoed('three');
  expect(received).toBe('one two three');
  const { projectId } = scene;
  await scene.hub.as(scene.owner, 'projects_RemoveProjectMember', { projectId, userId: member.userId });
  await stream.closed;
  expect(stream.resetReason).toBe('permission denied');
  await vi.waitFor(() => expect(acceptor.count).toBe(0));
  for (const { connection } of [user, device]) connection.close('');
});

test.each(['user token', 'certificate'])(
  'a stream ends at both sides at once when the %s that it stands on is revoked',
  async (credential) => {
    const { acceptor, serve } = echoAcceptor();
    const device = await connected(deviceHeaders(await newDevice(), scene.token), serve, info);
    const deviceId = await deviceIdOf(device);
    const { token, tokenId } = await scene.hub.as(scene.owner, 'users_CreateUserToken', {
      userId: scene.owner.userId,
    });
    const user = await connected(commandLineHeaders(token));
    const stream = openStream(await open(user, deviceId), () => new Promise(() => undefined));
    await stream.writeOwned(Buffer.from('hello'));
    await vi.waitFor(() => expect([acceptor.count, stream.wasAccepted]).toEqual([1, true]));
    if (credential === 'user token') await scene.hub.as(scene.owner, 'users_DeleteUserToken', { tokenId });
    else {
      const { certificates } = await scene.hub.as(scene.owner, 'devices_GetDeviceDetails', { deviceId });
      const { certificateId } = certificates[0]!;
      await scene.hub.as(scene.owner, 'devices_SetDeviceCertificateStatus', {
        certificateId,
        status: 'Revoked',
      });
    }
    await stream.closed;
    expect(stream.resetReason).toBe(
      credential === 'user token' ? 'the user token was deleted' : 'the certificate is not active any more',
    );
    await vi.waitFor(() => expect(acceptor.count).toBe(0));
    for (const { connection } of [user, device]) connection.close('');
  },
);
