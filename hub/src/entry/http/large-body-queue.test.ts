import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refusalScene, type RefusalScene } from '../../../test/refusal-scene.ts';

let at: RefusalScene;
beforeAll(async () => void (at = await refusalScene()), 60_000);
afterAll(() => at[Symbol.asyncDispose]());

/** Announces a large body and sends only its beginning. */
async function stalled(cookie: string): Promise<Socket> {
  const { port } = at.transports.hub.http.server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1' }).on('error', () => {});
  await once(socket, 'connect');
  socket.write(
    `POST /api/v1/actions/invoke/devices_SetDeviceProperty HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: same-origin\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\nCookie: ${cookie}\r\n\r\n{"deviceId":`,
  );
  return socket;
}

test('large bodies of one caller wait for each other, and neither small ones nor others wait for them', async () => {
  const { hub } = at.transports;
  const large = { deviceId: at.id('device'), name: 'dev.nexigon.commands', value: 'x'.repeat(500_000) };
  const set = (cookie: string) => hub.invoke('devices_SetDeviceProperty', large, { cookie });
  const held = [await stalled(at.owner), await stalled(at.owner)];
  // Both are being read when a small call, which arrives later, has its answer.
  expect((await hub.invoke('actor_GetActor', {}, { cookie: at.owner })).status).toBe(200);
  let isAnswered = false;
  const waiting = set(at.owner).then((answer) => ((isAnswered = true), answer));
  await hub.user('second@example.org', { isAdmin: true, password: 'quiet harbour lantern 7' });
  const other = await hub.signIn('second@example.org', 'quiet harbour lantern 7');
  expect((await set(other)).status).toBe(200);
  expect((await hub.invoke('actor_GetActor', {}, { cookie: at.owner })).status).toBe(200);
  expect(isAnswered).toBe(false);
  for (const socket of held) socket.destroy();
  expect((await waiting).status).toBe(200);
});
