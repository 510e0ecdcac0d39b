import { getEventListeners, once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { hasNatsServer, natsServer, needNats, type NatsServer } from '../../../test/nats-server.ts';
import { openNatsLink } from './nats-link.ts';

beforeEach(({ skip }) => needNats(skip));

/** Passes connections on to NATS, and cuts the first one when its client has sent so many pings. */
async function cuttingRelay(server: NatsServer, pings: number) {
  const seen = { connections: 0, pings: 0 };
  const relay = createServer((client) => {
    const isFirst = ++seen.connections === 1;
    const upstream = connect(server.port, '127.0.0.1');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const)
      from.on('error', () => undefined).on('close', () => void to.destroy());
    upstream.pipe(client);
    client.on('data', (bytes: Buffer) => {
      if (isFirst && bytes.includes('PING\r\n') && ++seen.pings === pings) client.destroy();
      else upstream.write(bytes);
    });
  }).listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const { port } = relay.address() as AddressInfo;
  return { seen, port, [Symbol.dispose]: () => void relay.close() };
}

const linkTo = (port: number) =>
  openNatsLink({
    address: { servers: [`127.0.0.1:${port}`], isEncrypted: false },
    clientName: 'north',
    subject: 'hints',
    log: { info() {}, warn() {} },
    onMessage() {},
    onConnected() {},
    onDisconnected() {},
  });

test('connects again when a connection breaks before the server has answered', async () => {
  if (!hasNatsServer) return;
  await using server = await natsServer();
  using relay = await cuttingRelay(server, 2);
  const link = linkTo(relay.port);
  await expect.poll(() => link.isConnected).toBe(true);
  expect(relay.seen).toEqual({ connections: 2, pings: 2 });
  await link.stop();
});

test('keeps count of what the server has not confirmed when a connection breaks meanwhile', async () => {
  if (!hasNatsServer) return;
  await using server = await natsServer();
  using relay = await cuttingRelay(server, 3);
  const link = linkTo(relay.port);
  await expect.poll(() => link.isConnected).toBe(true);
  expect(link.send(Buffer.from('lost'))).toBe(true);
  await expect.poll(() => link.isConnected).toBe(false);
  await expect.poll(() => link.isConnected).toBe(true);
  const message = Buffer.alloc(link.maxBytes);
  for (let sent = 0; sent < 8; sent += 1) await expect.poll(() => link.send(message)).toBe(true);
  await link.stop();
});

test('keeps nothing of the attempts that have ended', async () => {
  const addListener = vi.spyOn(EventTarget.prototype, 'addEventListener');
  onTestFinished(() => addListener.mockRestore());
  let attempts = 0;
  const refusing = createServer((client) => {
    attempts += 1;
    client.destroy();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void refusing.close());
  await once(refusing, 'listening');
  const link = linkTo((refusing.address() as AddressInfo).port);
  await expect.poll(() => attempts).toBeGreaterThanOrEqual(4);
  const signals = new Set(addListener.mock.contexts.filter((target) => target instanceof AbortSignal));
  const listeners = [...signals].flatMap((signal) => getEventListeners(signal, 'abort'));
  await link.stop();
  // One waits for the next attempt, or for the end of this one.
  expect(listeners.length).toBeLessThanOrEqual(1);
});
