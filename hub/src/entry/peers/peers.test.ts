import { createHash, randomBytes } from 'node:crypto';
import { connect } from 'node:tls';
import { channelReasons, resumableForwards } from '@corral/contract';
import type { Channel, ChannelRequest } from '@corral/multiplex';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { connectLink, deviceHeaders, isOpen, newDevice, type OpenLink } from '../../../test/device-client.ts';
import { system } from '../../../test/fresh-executor.ts';
import { freshGateway, type FreshGateway } from '../../../test/fresh-gateway.ts';
import { deviceIdOf, gatewayScene, type GatewayScene } from '../../../test/gateway-scene.ts';
import { issueNodeCertificate } from './node-certificate.ts';
import { openPeerNetwork, type PeerNetwork } from './open-peers.ts';
import { PeerLinks } from './PeerLinks.ts';
import { peerProtocols, startPeerConnection } from './peer-connection.ts';
import { connectToPeer, speaksNoSharedVersion } from './peer-socket.ts';

const authoritySeed = randomBytes(32);
const peerProtocol = peerProtocols[0] as string;
const warn = vi.fn();
const log = { info() {}, warn };
const newNetwork = (seed = authoritySeed): Promise<PeerNetwork> =>
  openPeerNetwork({ authoritySeed: seed, host: '127.0.0.1', port: 0, log });

let near: GatewayScene;
let far: FreshGateway;
let network: PeerNetwork;
let nearNetwork: PeerNetwork;

beforeAll(async () => {
  nearNetwork = await newNetwork();
  near = await gatewayScene({ network: nearNetwork });
  network = await newNetwork();
  far = await freshGateway({ besides: near, network });
});
afterAll(async () => {
  await far[Symbol.asyncDispose]();
  await near[Symbol.asyncDispose]();
});

/** Connects a device whose ports send back what they receive. */
async function connectEchoDevice(url: string, device = newDevice()): Promise<OpenLink> {
  const serve = (request: ChannelRequest): void => {
    if (request.endpoint.endsWith('/81')) return request.reject('connection refused');
    const channel = request.accept();
    void channel.drain((bytes) => channel.write(Uint8Array.from(bytes))).then(() => channel.end());
  };
  const headers = deviceHeaders(await device, near.token);
  const answer = await connectLink(url, headers, serve, resumableForwards.infoOf('corral-agent/0.1.0'));
  if (!isOpen(answer)) throw new Error(answer.body.message);
  return answer;
}

async function commandLine(): Promise<OpenLink> {
  const { headers } = await near.userHeaders();
  const answer = await connectLink(near.url, headers);
  if (!isOpen(answer)) throw new Error(answer.body.message);
  return answer;
}

const forward = ({ connection }: OpenLink, deviceId: string, port = 80): Promise<Channel> =>
  connection.openChannel(`device/${deviceId}/proxy/forward/tcp/${port}`);

async function echoOf(channel: Channel, bytes: Uint8Array): Promise<string> {
  const hash = createHash('sha256');
  const reading = channel.drain((part) => void hash.update(part));
  for (let at = 0; at < bytes.length; at += 65_536) await channel.write(bytes.slice(at, at + 65_536));
  channel.end();
  await reading;
  return hash.digest('hex');
}

describe('a device that is connected to another node', () => {
  let user: OpenLink;
  let device: OpenLink;
  let deviceId: Awaited<ReturnType<typeof deviceIdOf>>;
  beforeEach(async () => {
    user = await commandLine();
    device = await connectEchoDevice(far.url);
    deviceId = await deviceIdOf(device);
    return () => {
      user.connection.close('');
      device.connection.close('');
    };
  });

  test('is reached as if it were connected here, both ways and to the end of each', async () => {
    const bytes = randomBytes(3_000_000);
    const channel = await forward(user, deviceId);
    expect(await echoOf(channel, bytes)).toBe(createHash('sha256').update(bytes).digest('hex'));
    await channel.closed;
    expect(channel.resetReason).toBeUndefined();
  });

  test('serves resumable forwards, too', async () => {
    const channel = await user.connection.openChannel(`device/${deviceId}/proxy/resumable/tcp/80`);
    expect(channel.endpoint).toContain('resumable');
    const bytes = randomBytes(1_000);
    expect(await echoOf(channel, bytes)).toBe(createHash('sha256').update(bytes).digest('hex'));
  });

  test('gives its own reason where it rejects a port', async () => {
    await expect(forward(user, deviceId, 81)).rejects.toThrow(/^connection refused$/);
  });

  test('takes many channels at a time over one connection of the nodes', async () => {
    const channels = await Promise.all(Array.from({ length: 40 }, () => forward(user, deviceId)));
    const bytes = randomBytes(50_000);
    const digest = createHash('sha256').update(bytes).digest('hex');
    for (const echo of await Promise.all(channels.map((channel) => echoOf(channel, bytes))))
      expect(echo).toBe(digest);
  });

  test('ends the streams to it when it disconnects, and is then not connected', async () => {
    const channel = await forward(user, deviceId);
    await channel.write(randomBytes(10));
    device.connection.close('bye');
    await channel.closed;
    await vi.waitFor(() => expect(forward(user, deviceId)).rejects.toThrow('device not connected'));
  });

  test('ends a stream whose user has lost the access', async () => {
    const { userId } = await near.hub.user('member@example.org', { password: 'a long enough secret' });
    const { projectId } = near;
    await near.hub.as(system, 'projects_AddProjectMember', { projectId, userId });
    const actor = { actor: 'User', kind: 'User', userId } as never;
    const { token } = await near.hub.as(actor, 'users_CreateUserToken', { userId, name: 'cli' });
    const member = await connectLink(near.url, {
      authorization: `Bearer ${token}`,
      'x-user-token': token,
      'x-register-connection': 'true',
    });
    if (!isOpen(member)) throw new Error(member.body.message);
    const channel = await forward(member, deviceId);
    await channel.write(randomBytes(10));
    await near.hub.as(near.owner, 'projects_RemoveProjectMember', { projectId, userId });
    await channel.closed;
    expect(channel.resetReason).toBeDefined();
    member.connection.close('');
  });
});

test('a device that moves to this node is found here', async () => {
  const known = newDevice();
  const before = await connectEchoDevice(far.url, known);
  const deviceId = await deviceIdOf(before);
  const user = await commandLine();
  await (await forward(user, deviceId)).write(randomBytes(10));
  const after = await connectEchoDevice(near.url, known);
  before.connection.close('');
  await before.connection.closed;
  const bytes = randomBytes(1_000);
  expect(await echoOf(await forward(user, deviceId), bytes)).toBe(
    createHash('sha256').update(bytes).digest('hex'),
  );
  for (const { connection } of [after, user]) connection.close('');
});

test('a device that has lost its network is found where it is back, before the node that is asked has noticed', async () => {
  const asked = await freshGateway({ besides: near, network: await newNetwork() });
  const known = newDevice();
  const lost = await connectEchoDevice(asked.url, known);
  const deviceId = await deviceIdOf(lost);
  lost.socket.pause();
  const back = await connectEchoDevice(near.url, known);
  const user = await connectLink(asked.url, (await near.userHeaders()).headers);
  if (!isOpen(user)) throw new Error(user.body.message);
  asked.advance(8_000);
  const bytes = randomBytes(1_000);
  expect(await echoOf(await forward(user, deviceId), bytes)).toBe(
    createHash('sha256').update(bytes).digest('hex'),
  );
  for (const { connection } of [user, back, lost]) connection.close('');
  await asked[Symbol.asyncDispose]();
});

test('a node that stops does not tell its devices to wait: the others take them at once', async () => {
  const stopping = await freshGateway({ besides: near, network: await newNetwork() });
  const device = await connectEchoDevice(stopping.url);
  await stopping[Symbol.asyncDispose]();
  expect(await device.connection.closed).toMatchObject({ reason: 'the hub is stopping' });
  const answer = await connectLink(near.url, deviceHeaders(await newDevice(), near.token));
  expect(isOpen(answer)).toBe(true);
  if (isOpen(answer)) answer.connection.close('');
});

test('the streams of a user are counted at the node of the device, whichever nodes are asked', async () => {
  const few = await newNetwork();
  const ofDevice = await freshGateway({ besides: near, network: few, maxStreamsPerUser: 3 });
  const third = await freshGateway({ besides: near, network: await newNetwork() });
  const device = await connectEchoDevice(ofDevice.url);
  const deviceId = await deviceIdOf(device);
  const user = await commandLine();
  const elsewhere = await connectLink(third.url, (await near.userHeaders()).headers);
  if (!isOpen(elsewhere)) throw new Error(elsewhere.body.message);
  const streams = [await forward(user, deviceId), await forward(user, deviceId)];
  streams.push(await forward(elsewhere, deviceId));
  for (const link of [user, elsewhere])
    await expect(forward(link, deviceId)).rejects.toThrow(/^connection channel limit reached$/);
  streams[0]?.abort('enough');
  await vi.waitFor(() => forward(elsewhere, deviceId));
  for (const { connection } of [user, elsewhere, device]) connection.close('');
  await ofDevice[Symbol.asyncDispose]();
  await third[Symbol.asyncDispose]();
});

test('a user who requests streams over two nodes at once gets as many as are allowed, and the others are refused', async () => {
  const ofDevice = await freshGateway({
    besides: near,
    network: await newNetwork(),
    maxStreamsPerUser: 3,
  });
  // The device accepts none until all are requested, so that each is counted while the others are still being opened.
  const requests: ChannelRequest[] = [];
  const headers = deviceHeaders(await newDevice(), near.token);
  const device = await connectLink(ofDevice.url, headers, (request) => requests.push(request));
  const here = await connectLink(ofDevice.url, (await near.userHeaders()).headers);
  if (!isOpen(device) || !isOpen(here)) throw new Error('A link is refused.');
  const deviceId = await deviceIdOf(device);
  const away = await commandLine();
  const reasons: unknown[] = [];
  const opening = Array.from({ length: 10 }, (_, index) =>
    forward(index % 2 === 0 ? here : away, deviceId).catch(
      ({ message }: Error) => void reasons.push(message),
    ),
  );
  await vi.waitFor(() => expect([requests.length, reasons.length]).toEqual([3, 7]));
  expect(new Set(reasons)).toEqual(new Set(['connection channel limit reached']));
  for (const request of requests) request.accept();
  await Promise.all(opening);
  for (const { connection } of [here, away, device]) connection.close('');
  await ofDevice[Symbol.asyncDispose]();
});

test('a node answers a request that it does not know by saying that its release is another', async () => {
  const certificate = await issueNodeCertificate(authoritySeed);
  const socket = await connectToPeer(network.self, certificate);
  const newer = startPeerConnection(socket, 'client', {});
  for (const endpoint of ['device/d_1/telepathy/80', 'fleet/all'])
    await expect(newer.openChannel(endpoint)).rejects.toThrow(channelReasons.hubOfAnotherRelease);
  newer.close('');
});

test('resumable forwards are neither requested nor served over the version of the release before', async () => {
  const certificate = await issueNodeCertificate(authoritySeed);
  const socket = await connectToPeer(network.self, certificate, ['corral-peer/1']);
  const older = startPeerConnection(socket, 'client', {});
  const device = await connectEchoDevice(far.url);
  const deviceId = await deviceIdOf(device);
  const endpoint = `device/${deviceId}/users/${near.owner.userId}/resumable/tcp/80`;
  await expect(older.openChannel(endpoint)).rejects.toThrow(channelReasons.hubOfAnotherRelease);
  older.close('');
  const links = new PeerLinks(certificate, { protocols: ['corral-peer/1'] });
  const open = (onDevice: string) => links.open(network.self, deviceId, onDevice, {});
  await expect(open(resumableForwards.endpointOf(80))).rejects.toThrow(channelReasons.hubOfAnotherRelease);
  await (await open('forward/tcp/80')).write(randomBytes(10));
  await links.stop();
  device.connection.close('');
});

test('terminals are neither requested nor served over the version of the release before', async () => {
  const certificate = await issueNodeCertificate(authoritySeed);
  const device = await connectEchoDevice(far.url);
  const deviceId = await deviceIdOf(device);
  const links = new PeerLinks(certificate, { protocols: ['corral-peer/2'] });
  const opening = links.open(network.self, deviceId, 'term_20261120-1100-AAAAAAAA', { isForTerminal: true });
  await expect(opening).rejects.toThrow(channelReasons.hubOfAnotherRelease);
  await links.stop();
  device.connection.close('');
});

test('nodes speak the newest version that both know, and one without any says so', async () => {
  const certificate = await issueNodeCertificate(authoritySeed);
  const newest = await connectToPeer(network.self, certificate, ['corral-peer/4', ...peerProtocols]);
  expect(newest.alpnProtocol).toBe(peerProtocol);
  newest.destroy();
  const failure = await connectToPeer(network.self, certificate, ['corral-peer/4']).catch(
    (error: unknown) => error,
  );
  expect(speaksNoSharedVersion(failure)).toBe(true);
});

test('a node that cannot be reached is named as the reason, in the log and in the metrics', async () => {
  warn.mockClear();
  const failures = nearNetwork.failures();
  const lost = await newNetwork();
  const gone = await freshGateway({ besides: near, network: lost });
  const device = await connectEchoDevice(gone.url);
  const deviceId = await deviceIdOf(device);
  const user = await commandLine();
  await (await forward(user, deviceId)).write(randomBytes(10));
  await lost.stop();
  await vi.waitFor(() =>
    expect(forward(user, deviceId)).rejects.toThrow(
      'the hub that the device is connected to cannot be reached',
    ),
  );
  expect(warn).toHaveBeenCalledWith(
    expect.objectContaining({ node: lost.self.name, address: lost.self.address }),
    'another hub cannot be reached',
  );
  expect(nearNetwork.failures()).toBeGreaterThan(failures);
  user.connection.close('');
  device.connection.close('');
  await gone[Symbol.asyncDispose]();
});

describe('a node of this cluster', () => {
  test.each([
    ['no certificate', 'certificate required', undefined, peerProtocol],
    ['a certificate of another cluster', '^closed$', randomBytes(32), peerProtocol],
    ['another protocol', 'no application protocol', authoritySeed, 'http/1.1'],
  ])('opens a channel: a handshake with %s is refused', async (_what, reason, seed, protocol) => {
    const own = seed === undefined ? undefined : await issueNodeCertificate(seed);
    const [host, port] = network.self.address.split(':');
    const socket = connect({
      host,
      port: Number(port),
      rejectUnauthorized: false,
      ALPNProtocols: [protocol],
      ...(own === undefined ? {} : { cert: own.certificatePem, key: own.keyPem }),
    });
    const answer = await new Promise<string>((resolve) => {
      socket.once('error', ({ message }) => resolve(message));
      socket.once('close', () => resolve('closed'));
    });
    expect(answer).toMatch(new RegExp(reason));
  });

  test('is not mistaken for another process at its address', async () => {
    const { address } = network.self;
    const third = await newNetwork();
    const others = third.others(near.hub.executor);
    const device = await connectEchoDevice(far.url);
    const deviceId = await deviceIdOf(device);
    const predecessor = { name: (await issueNodeCertificate(authoritySeed)).name, address };
    await expect(others.open(predecessor, deviceId, 'forward/tcp/80', {})).rejects.toThrow(
      'cannot be reached',
    );
    await (await others.open(network.self, deviceId, 'forward/tcp/80', {})).write(randomBytes(10));
    await third.stop();
    device.connection.close('');
  });
});
