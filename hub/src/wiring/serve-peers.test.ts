import { randomBytes } from 'node:crypto';
import type { Channel } from '@corral/multiplex';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { connectLink, deviceHeaders, isOpen, newDevice, type OpenLink } from '../../test/device-client.ts';
import { freshGateway, type FreshGateway } from '../../test/fresh-gateway.ts';
import { deviceIdOf, gatewayScene, type GatewayScene } from '../../test/gateway-scene.ts';
import { openPeerNetwork, type PeerNodes, type PeerNetwork } from '../entry/peers/open-peers.ts';
import { createProxy } from '../entry/proxy/proxy.ts';
import { servePeers } from './serve-peers.ts';

const maxConcurrentPerDevice = 3;
const authoritySeed = randomBytes(32);
const log = { info() {}, warn() {}, error() {} };
const newNetwork = () => openPeerNetwork({ authoritySeed, host: '127.0.0.1', port: 0, log });

let near: GatewayScene;
let far: FreshGateway;
let ofDevice: PeerNetwork;
/** Two nodes to which the device is not connected. */
let others: [PeerNodes, PeerNodes];
const networks: PeerNetwork[] = [];

beforeAll(async () => {
  networks.push(await newNetwork(), await newNetwork());
  ofDevice = await newNetwork();
  near = await gatewayScene({ network: networks[0] as PeerNetwork });
  far = await freshGateway({ besides: near, network: ofDevice });
  const proxy = createProxy({
    executor: near.hub.executor,
    bus: near.bus,
    openChannel: () => Promise.reject(new Error('not used')),
    origins: () => ({ console: '', proxyDomain: 'localhost', proxyOf: () => '' }) as never,
    isPlainHttp: true,
    limits: { streamsOfDevice: { ofCaller: maxConcurrentPerDevice, waitingOfCaller: 1 } },
    nowMs: () => performance.now(),
    log,
  });
  servePeers(ofDevice, far.gateway, proxy);
  others = networks.map((network) => network.others(near.hub.executor)) as [PeerNodes, PeerNodes];
});
afterAll(async () => {
  await networks[1]?.stop();
  await far[Symbol.asyncDispose]();
  await near[Symbol.asyncDispose]();
});

async function connectDevice(): Promise<OpenLink> {
  const headers = deviceHeaders(await newDevice(), near.token);
  const answer = await connectLink(far.url, headers, (request) => {
    const channel = request.accept();
    void channel.drain(() => undefined).then(() => channel.end());
  });
  if (!isOpen(answer)) throw new Error(answer.body.message);
  return answer;
}

test('the node of a device counts the page streams of all nodes, but no forwards', async () => {
  const device = await connectDevice();
  const deviceId = await deviceIdOf(device);
  const open = (node: PeerNodes, isForPages = true): Promise<Channel> =>
    node.open(ofDevice.self, deviceId, 'forward/tcp/80', { isForPages });
  const pages = [await open(others[0]), await open(others[0]), await open(others[1])];
  const onOpen = vi.fn<(channel: Channel) => void>();
  const waiting = open(others[1]).then((channel) => (onOpen(channel), channel));
  // Behind the one that waits no other may.
  await expect(open(others[1])).rejects.toThrow('connection channel limit reached');
  const forward = await open(others[0], false);
  expect(onOpen).not.toHaveBeenCalled();
  pages[0]?.end();
  await waiting;
  for (const channel of [...pages, forward, await waiting]) channel.abort();
  device.connection.close('');
});
