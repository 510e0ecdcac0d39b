import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { httpHub, system, type HttpHub } from '../../test/http-hub.ts';

let hub: HttpHub;
beforeAll(async () => void (hub = await httpHub({ env: { CORRAL_TRUSTED_PROXIES: '10.0.0.0/8' } })));
afterAll(() => hub[Symbol.asyncDispose]());

test.each(['/api/v1/actions/invoke/actor_GetActor', '/api/private/login', '/readyz', '/login'])(
  'a certificate header from nobody trusted is refused at %s, before anything is done',
  async (path) => {
    const answer = await hub.call(path, { method: 'POST', headers: { 'x-client-cert': '' }, body: {} });
    expect(answer.status).toBe(400);
    expect(answer.json).toEqual({
      kind: 'Invalid',
      message: 'The header X-Client-Cert is not accepted from this address.',
    });
  },
);

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

test('in development on loopback the header is ignored', async () => {
  await using open = await httpHub();
  const answer = await open.call('/readyz', { headers: { 'x-client-cert': 'anything' } });
  expect(answer.status).toBe(200);
});
