import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { httpHub, system, type HttpHub } from '../../../test/http-hub.ts';
import { getOf, rawRequests } from '../../../test/raw-requests.ts';

let hub: HttpHub;
beforeAll(async () => {
  hub = await httpHub({ env: { CORRAL_TRUSTED_PROXIES: '10.0.0.0/8' } });
  hub.http.serveDeviceHosts({
    handle: (_request, response) => void response.end('from the device'),
    handleUpgrade: (_request, socket) => void socket.end('HTTP/1.1 200 OK\r\n\r\nfrom the device'),
    isKnown: () => true,
  });
});
afterAll(() => hub[Symbol.asyncDispose]());

test.each([
  '/api/v1/actions/invoke/actor_GetActor',
  '/api/private/login',
  '/readyz',
  '/login',
  '/r/repo/1.0.0/file',
  '/r/uploads/x',
])('a certificate header from nobody trusted is refused at %s, before anything is done', async (path) => {
  const answer = await hub.call(path, { method: 'POST', headers: { 'x-client-cert': '' }, body: {} });
  expect(answer.status).toBe(400);
  expect(answer.json).toEqual({
    kind: 'Invalid',
    message: 'The header X-Client-Cert is not accepted from this address.',
  });
});

test.each([
  ['a page', ''],
  ['an upgrade', 'Connection: Upgrade\r\nUpgrade: websocket\r\n'],
])('it is refused at the host of a device too: %s', async (_, more) => {
  using requests = rawRequests(() => hub);
  const host = 'some-device.proxy.localhost';
  expect(await requests.answered(getOf('/', more, host), '127.0.0.1')).toContain('from the device');
  const answer = await requests.answered(getOf('/', `X-Client-Cert: x\r\n${more}`, host), '127.0.0.1');
  expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
});

test('an attempt is recorded in the audit log', async () => {
  await vi.waitFor(async () => {
    const { actions } = await hub.executor.invoke(system, 'audit_QueryAuditLogActions', {});
    expect(actions).toMatchObject([
      {
        action: 'cluster_ReportUntrustedCertificateHeader',
        status: 'Succeeded',
        data: { remoteAddress: '127.0.0.1', attempts: 1 },
      },
    ]);
  });
});

test('the header is ignored in development on loopback', async () => {
  await using open = await httpHub();
  const answer = await open.call('/readyz', { headers: { 'x-client-cert': 'anything' } });
  expect(answer.status).toBe(200);
});
