import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { freshDatabase } from '../../../test/fresh-database.ts';
import { hostileProvider, type HostileProvider } from '../../../test/hostile-provider.ts';
import { httpHub, type HttpHub } from '../../../test/http-hub.ts';
import { readLiveView } from '../../../test/live-reader.ts';
import { actorOf, returning, sessionOf, signInAt } from '../../../test/provider-scene.ts';
import { proxiedDevice, type ProxiedDevice } from '../../../test/proxied-device.ts';

/** Two hubs on one database, without a bus between them; the device is connected to the second. */
async function twoHubs() {
  const hostile = await hostileProvider();
  const [database, here, there] = [await freshDatabase(), signInAt(hostile), signInAt(hostile)];
  const device = await proxiedDevice({}, { database, providerSignIn: there.providerSignIn });
  const first = await httpHub({ database, providerSignIn: here.providerSignIn });
  onTestFinished(async () => {
    await first[Symbol.asyncDispose]();
    await device[Symbol.asyncDispose]();
    await Promise.all([here.close(), there.close()]);
    await database[Symbol.asyncDispose]();
  });
  return { hostile, device, first, second: device.transports.hub };
}

/** A session of the member at a hub, in a session of the provider. */
async function signedIn(hub: HttpHub, hostile: HostileProvider, sid: string): Promise<string> {
  hostile.lies = { claims: { sid } };
  return sessionOf((await (await returning({ hub, hostile })).come()).headers);
}

/** A device that echoes, and a function that opens a WebSocket to it in a session. */
async function webSocketOf(device: ProxiedDevice) {
  const sockets = new WebSocketServer({ noServer: true });
  const server = createServer();
  server.on('upgrade', (request, socket, head) =>
    sockets.handleUpgrade(request, socket as Socket, head, (one) =>
      one.on('message', (data) => one.send(data as Buffer)),
    ),
  );
  const port = await device.adopt(server);
  return async (sessionCookie: string) => {
    const page = await device.enterBy(
      await device.issue({ ...device.member, cookie: sessionCookie }, { port }),
    );
    const { host, cookie } = page;
    const socket = new WebSocket(`ws://127.0.0.1:${host.split(':')[1]}/`, {
      headers: { host, cookie, origin: `http://${host}` },
    });
    await once(socket, 'open');
    const closed = once(socket, 'close');
    return { socket, closed };
  };
}

/** Whether a WebSocket still answers. */
async function isAlive(socket: WebSocket): Promise<boolean> {
  if (socket.readyState !== WebSocket.OPEN) return false;
  socket.send('still here');
  return String(((await once(socket, 'message')) as [Buffer])[0]) === 'still here';
}

const logOut = async (hub: HttpHub, hostile: HostileProvider, sid: string) =>
  hub.call('/api/private/logout/provider', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ logout_token: await hostile.logoutToken({ sid }) }).toString(),
  });

test('a session that ends at the provider ends at both hubs, with its live views and the WebSockets to devices, and no other does', async () => {
  const { hostile, device, first, second } = await twoHubs();
  const path = '/api/private/login/provider/link';
  await (await returning({ hub: second, hostile }, { path, cookie: device.member.cookie })).come();
  const open = await webSocketOf(device);
  const [atFirst, atSecond] = [await signedIn(first, hostile, 's1'), await signedIn(second, hostile, 's1')];
  const elsewhere = await signedIn(second, hostile, 's2');
  const [ending, staying] = [await open(atSecond), await open(elsewhere)];
  const byPassword = await open(device.member.cookie);
  using viewAtFirst = await readLiveView(first, { cookie: atFirst });
  using viewAtSecond = await readLiveView(second, { cookie: atSecond });
  using stayingView = await readLiveView(first, { cookie: elsewhere });
  expect([viewAtFirst.status, viewAtSecond.status, stayingView.status]).toEqual([200, 200, 200]);
  expect((await logOut(first, hostile, 's1')).status).toBe(200);
  await Promise.all([ending.closed, viewAtFirst.ended, viewAtSecond.ended]);
  for (const hub of [first, second])
    for (const cookie of [atFirst, atSecond])
      await expect.poll(() => actorOf(hub, cookie)).toMatchObject({ kind: 'Anonymous' });
  expect([await isAlive(staying.socket), await isAlive(byPassword.socket)]).toEqual([true, true]);
  expect(stayingView.response.destroyed).toBe(false);
  // At the hub that holds the connection it is the same.
  expect((await logOut(second, hostile, 's2')).status).toBe(200);
  await Promise.all([staying.closed, stayingView.ended]);
  expect(await isAlive(byPassword.socket)).toBe(true);
  byPassword.socket.terminate();
});
