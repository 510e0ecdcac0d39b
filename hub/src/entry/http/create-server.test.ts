import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, type ConnectionOptions, TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deviceCertificate, type DeviceCertificate } from '../../../test/device-certificate.ts';
import { createServer } from './node-server.ts';

const server: DeviceCertificate = await deviceCertificate();
const device: DeviceCertificate = await deviceCertificate();
const http = createServer({ cert: server.certificatePem, key: server.keyPem }, (request, response) => {
  const peer = request.socket instanceof TLSSocket ? request.socket.getPeerX509Certificate() : undefined;
  response.end(peer?.fingerprint256 ?? 'none');
});

beforeAll(async () => {
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
});
afterAll(() => void http.close());

/** One request on a connection of its own; the session that the server offers for the next. */
async function ask(
  options: ConnectionOptions,
): Promise<{ body: string; isReused: boolean; session: Buffer | undefined }> {
  const { port } = http.address() as AddressInfo;
  const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ...options });
  let session: Buffer | undefined;
  socket.on('session', (offered) => (session = offered));
  await once(socket, 'secureConnect');
  const isReused = socket.isSessionReused();
  socket.write('GET / HTTP/1.1\r\nHost: hub\r\nConnection: close\r\n\r\n');
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return { body: text.split('\r\n\r\n')[1] ?? '', isReused, session };
}

const identity = { cert: device.certificatePem, key: device.keyPem };

test.each(['TLSv1.2', 'TLSv1.3'] as const)(
  '%s shows the certificate of each handshake and resumes none',
  async (version) => {
    const options = { minVersion: version, maxVersion: version };
    const first = await ask({ ...options, ...identity });
    expect(first.body).toContain(device.fingerprint);
    const again = await ask({ ...options, ...identity, session: first.session });
    expect(again.isReused).toBe(false);
    expect(again.body).toContain(device.fingerprint);
    const without = await ask({ ...options, session: first.session });
    expect([without.isReused, without.body.includes('none')]).toEqual([false, true]);
  },
);

test('limits headers to ten seconds, and leaves the time of bodies to their handlers', () => {
  expect([http.headersTimeout, http.requestTimeout]).toEqual([10_000, 0]);
});
