import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { AdmissionError, refuseUpgrade } from './refuse-upgrade.ts';

afterEach(() => void vi.useRealTimers());

test('a refused client that neither reads nor ends its side is disconnected after five seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const server = createServer({ allowHalfOpen: true });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect({ port: (server.address() as AddressInfo).port, allowHalfOpen: true });
  const [socket] = (await once(server, 'connection')) as [Socket];
  refuseUpgrade(socket, new AdmissionError(503, 'Internal', 'The hub is stopping.', 5));
  const [answer] = (await once(client, 'data')) as [Buffer];
  expect(String(answer)).toMatch(/^HTTP\/1.1 503 .*Retry-After: 5\r\n\r\n\{.*\}$/s);
  await once(client, 'end');
  await vi.advanceTimersByTimeAsync(4_999);
  expect(socket.destroyed).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(socket.destroyed).toBe(true);
  client.destroy();
  server.close();
});
