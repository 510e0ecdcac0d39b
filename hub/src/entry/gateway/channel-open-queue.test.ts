import { once } from 'node:events';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Id } from '@corral/contract';
import type { Channel, ChannelRequest } from '@corral/multiplex';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { bothTransports, type BothTransports } from '../../../test/both-transports.ts';
import { connectLink, deviceHeaders, newDevice, type OpenLink } from '../../../test/device-client.ts';
import { commandLineHeaders, deviceIdOf } from '../../../test/gateway-scene.ts';
import { LimitedAgent } from '../../../test/limited-agent.ts';
import { RawWebSocket, rawUpgrade } from '../../../test/raw-web-socket.ts';
import { justProved } from '../../../test/just-proved.ts';

const password = 'quiet harbour lantern 7';
const page = 'x'.repeat(3_000);
const streams = inject('figures').parallelStreams;

let transports: BothTransports;
let server: Server;
let agent: LimitedAgent;
let deviceId: Id<'device'>;
let deploymentToken: string;
let cookie: string;
let userToken: string;

/** An agent of 2026-08 with a web server, and its owner. */
beforeAll(async () => {
  transports = await bothTransports();
  const { hub } = transports;
  server = createServer((_request, response) => void setTimeout(() => response.end(page), 20)).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  const { userId } = await hub.user('owner@example.org', { password });
  cookie = await hub.signIn('owner@example.org', password);
  const asOwner = { actor: { actor: 'User', kind: 'User', userId }, origin: justProved } as const;
  const { projectId } = await hub.executor.invoke(asOwner, 'projects_CreateProject', { name: 'Plant' });
  ({ token: deploymentToken } = await hub.executor.invoke(asOwner, 'projects_CreateDeploymentToken', {
    projectId,
    name: 'line',
    flags: { autoAccept: true },
  }));
  ({ token: userToken } = await hub.executor.invoke(asOwner, 'users_CreateUserToken', {
    userId,
    name: 'cli',
  }));
  const webSocket = await rawUpgrade(hub.url, deviceHeaders(await newDevice(), deploymentToken));
  if (!(webSocket instanceof RawWebSocket)) throw new Error(webSocket.body);
  agent = new LimitedAgent(webSocket, (server.address() as AddressInfo).port);
  deviceId = await vi.waitFor(async () => {
    const { devices } = await hub.executor.invoke(asOwner, 'projects_QueryProjectDevices', { projectId });
    expect(devices[0]).toMatchObject({ isConnected: true });
    return devices[0]!.deviceId as Id<'device'>;
  });
});
afterAll(async () => {
  agent.leave();
  server.close();
  await transports[Symbol.asyncDispose]();
});

const question = Buffer.from('GET / HTTP/1.1\r\nHost: device\r\nConnection: close\r\n\r\n');

/** Requests the page of the device through a forward of a command line. */
async function getForwarded(link: OpenLink): Promise<string> {
  const channel: Channel = await link.connection.openChannel(`device/${deviceId}/proxy/forward/tcp/80`);
  await channel.write(question);
  const parts: Uint8Array[] = [];
  for await (const part of channel) parts.push(part);
  channel.end();
  return Buffer.concat(parts).toString().split('\r\n\r\n')[1] ?? '';
}

/** Requests the page of the device through the HTTP proxy, on a connection of its own. */
function getProxied(host: string, access: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(transports.hub.url);
    const headers = { host, cookie: access };
    httpRequest({ host: '127.0.0.1', port, path: '/', headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => resolve(`${response.statusCode} ${text}`));
    })
      .on('error', reject)
      .end();
  });
}

async function openProxy(): Promise<{ host: string; access: string }> {
  const { json } = await transports.hub.invoke(
    'devices_IssueDeviceHttpProxyToken',
    { deviceId, port: 80 },
    { cookie },
  );
  const { host, pathname, search } = new URL(String(json['url']));
  const { headers } = await transports.hub.call(pathname + search, { headers: { host } });
  return { host, access: headers['set-cookie']?.[0]?.split(';')[0] ?? '' };
}

test('an agent of 2026-08 serves many streams requested at once, and none of its limits is exceeded', async () => {
  const { host, access } = await openProxy();
  const links = await Promise.all([1, 2, 3].map(() => transports.connect(commandLineHeaders(userToken))));
  const forwarded = links.flatMap((link) => Array.from({ length: streams / 6 }, () => getForwarded(link)));
  const proxied = Array.from({ length: streams / 2 }, () => getProxied(host, access));
  expect(new Set(await Promise.all(forwarded))).toEqual(new Set([page]));
  expect(new Set(await Promise.all(proxied))).toEqual(new Set([`200 ${page}`]));
  expect(agent).toMatchObject({ breach: undefined });
}, 60_000);

test('when the agent has reached its channel limit, the next stream opens when one closes', async () => {
  const link = await transports.connect(commandLineHeaders(userToken));
  const open = (): Promise<Channel> => link.connection.openChannel(`device/${deviceId}/proxy/forward/tcp/80`);
  const held = await Promise.all(Array.from({ length: 30 }, open));
  const refused = agent.refusals;
  const waiting = open();
  await vi.waitFor(() => expect(agent.refusals).toBeGreaterThan(refused));
  held[0]?.abort();
  const channel = await waiting;
  await channel.write(question);
  expect((await channel.read())?.length).toBeGreaterThan(0);
  for (const each of [...held, channel]) each.abort();
  expect(agent).toMatchObject({ breach: undefined });
});

/** More requests than an agent of 2026-08 leaves unanswered. */
const requestCount = 40;

test.each([
  ['that identifies itself as Corral', 'corral-agent/0.1.0', []],
  ['of the first generation', '', ['devices_SetDeviceProperty']],
])('an agent %s gets channel requests without delay', async (_who, info, calls) => {
  const all = Promise.withResolvers<void>();
  const requests: ChannelRequest[] = [];
  const device = (await connectLink(
    transports.hub.url,
    deviceHeaders(await newDevice(), deploymentToken),
    (request) => {
      if (requests.push(request) === requestCount) all.resolve();
    },
    info,
  )) as OpenLink;
  const id = await deviceIdOf(device);
  for (const name of calls)
    await (await device.rpc()).invoke(name, { deviceId: id, name: 'place', value: 'hall' });
  const link = await transports.connect(commandLineHeaders(userToken));
  const opening = Array.from({ length: requestCount }, () =>
    link.connection.openChannel(`device/${id}/proxy/forward/tcp/80`),
  );
  await all.promise;
  for (const request of requests) request.accept();
  expect(await Promise.all(opening)).toHaveLength(requestCount);
  device.socket.destroy();
});
