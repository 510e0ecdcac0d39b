import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { request } from 'node:https';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import type { Device } from '../fixtures/agent.ts';
import { administrator } from '../fixtures/hub-process.ts';
import { requestUpgrade, sendRequest } from '../fixtures/http-request.ts';
import { newProject } from '../fixtures/operator.ts';
import { proxyReadTimeoutSecs } from '../fixtures/reverse-proxy.ts';
import { expect, refusedWith, signIn, test as base } from '../fixtures/test.ts';

const test = base.extend({
  baseURL: async ({ proxiedSite }, use) => use(proxiedSite.hub.url),
  ignoreHTTPSErrors: true,
});

// One after the other, so that one hub and one nginx serve all.
test.describe.configure({ mode: 'default' });

/** The headers of a device, without its certificate; a new fingerprint makes it a new device. */
function deviceHeaders(token: string, fingerprint = newFingerprint()): Record<string, string> {
  return {
    authorization: `Bearer ${token}`,
    'x-deployment-token': token,
    'x-device-fingerprint': fingerprint,
    'x-register-connection': 'false',
  };
}

let devicesMade = 0;
function newFingerprint(): string {
  devicesMade += 1;
  return `d_sk_${String(devicesMade).replaceAll('0', 'z').padEnd(44, 'a')}`;
}

/** The self-signed certificate of a device, as options of a TLS client. */
async function identityOf({ stateDir }: Device): Promise<{ cert: string; key: string }> {
  const read = (name: string) => readFile(join(stateDir, name), 'utf8');
  return { cert: await read('certificate.pem'), key: await read('key.pem') };
}

test('users sign in over HTTP/2 and see a device connect with the certificate of its TLS handshake with the proxy', async ({
  page,
  proxiedSite: site,
  devices,
  context,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(refusedWith(401));
  await page.goto('/login');
  await signIn(page, administrator);
  await page.getByRole('button', { name: 'Create Project' }).waitFor();
  expect(await page.evaluate('performance.getEntriesByType("navigation")[0].nextHopProtocol')).toBe('h2');
  expect(await context.cookies()).toMatchObject([
    { name: '__Host-session', secure: true, httpOnly: true, sameSite: 'Lax' },
  ]);

  const project = await newProject(site.operator);
  await page.goto(`/projects/${project.projectId}`);
  await page.getByRole('button', { name: 'Make token' }).click();
  const command = await page.getByRole('group', { name: 'agent command' }).getByRole('code').innerText();
  expect(command).toContain(site.hub.url);
  const token = /CORRAL_AGENT_TOKEN=(\S+)/.exec(command)?.[1] ?? '';
  const device = await devices.make(site.hub, token, { NODE_EXTRA_CA_CERTS: site.hub.authorityFile });
  const { deviceId } = await device.run().connected();
  // The page polls every 30 s; the live view updates it sooner.
  // A device without a name is shown by the hostname that it reports once it is connected.
  await expect(page.getByText(`Connected: ${hostname()}`)).toBeVisible();
  const { certificates } = await site.operator.invoke('devices_GetDeviceDetails', { deviceId });
  expect(certificates.map(({ fingerprint }) => fingerprint)).toEqual([
    await device.call('certificate', 'fingerprint'),
  ]);
});

test('a certificate header of a client never reaches the hub through the proxy', async ({
  proxiedSite: { hub, ca, token, operator },
  devices,
}) => {
  const [honest, other] = [await devices.make(hub, token), await devices.make(hub, token)];
  const stolen = encodeURIComponent((await identityOfNew(other)).cert);
  const claims = { ...deviceHeaders(token), 'x-client-cert': stolen };
  expect(await requestUpgrade(hub.url, claims, { ca })).toMatchObject({
    status: 400,
    text: expect.stringContaining('A client certificate is missing.'),
  });
  const fingerprint = newFingerprint();
  const own = await identityOfNew(honest);
  const both = {
    ...deviceHeaders(token, fingerprint),
    'X-Client-Cert': [stolen, stolen],
    x_client_cert: stolen,
  };
  expect((await requestUpgrade(hub.url, both, { ca, ...own })).status).toBe(101);
  expect((await requestUpgrade(hub.url, deviceHeaders(token, fingerprint), { ca, ...own })).status).toBe(101);
  expect((await requestUpgrade(hub.url, both, { ca, ...(await identityOf(other)) })).status).toBe(403);
  const { actions } = await operator.invoke('audit_QueryAuditLogActions', {});
  expect(actions.map(({ action }) => action)).not.toContain('cluster_ReportUntrustedCertificateHeader');
});

/** Like `identityOf`, for a device that has not created its certificate yet. */
async function identityOfNew(device: Device): Promise<{ cert: string; key: string }> {
  await device.call('certificate', 'fingerprint');
  return identityOf(device);
}

test('the certificate header is trusted from the proxy only; from any other address it is refused and audited', async ({
  proxiedSite: { hub, token, operator },
  devices,
}) => {
  const { cert } = await identityOfNew(await devices.make(hub, token));
  const headers = { ...deviceHeaders(token), 'x-client-cert': encodeURIComponent(cert) };
  const direct = await requestUpgrade(hub.directUrl, headers, { localAddress: '127.0.0.2' });
  expect(direct).toMatchObject({
    status: 400,
    text: expect.stringContaining('The header X-Client-Cert is not accepted from this address.'),
  });
  await expect
    .poll(async () => (await operator.invoke('audit_QueryAuditLogActions', {})).actions)
    .toContainEqual(
      expect.objectContaining({
        action: 'cluster_ReportUntrustedCertificateHeader',
        data: { remoteAddress: '127.0.0.2', attempts: 1 },
      }),
    );
});

for (const version of ['TLSv1.2', 'TLSv1.3'] as const)
  test(`a session of ${version} is never resumed, so each handshake presents the certificate`, async ({
    proxiedSite: { hub, ca, token },
    devices,
  }) => {
    const identity = await identityOfNew(await devices.make(hub, token));
    const options = { ca, minVersion: version, maxVersion: version };
    const first = connectTls({
      host: '127.0.0.1',
      port: hub.port,
      servername: 'localhost',
      ...options,
      ...identity,
    });
    let session: Buffer | undefined;
    first.on('session', (offered: Buffer) => (session = offered));
    await once(first, 'secureConnect');
    first.resume().write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    await once(first, 'close');
    const fingerprint = newFingerprint();
    const shown = await requestUpgrade(hub.url, deviceHeaders(token, fingerprint), {
      ...options,
      ...identity,
    });
    expect(shown.status).toBe(101);
    const resumed = await requestUpgrade(hub.url, deviceHeaders(token, fingerprint), {
      ...options,
      ...(session === undefined ? {} : { session }),
    });
    expect(resumed).toMatchObject({ status: 400, text: expect.stringContaining('certificate is missing') });
  });

test('the hub rate-limits clients by the address that the proxy saw, not by forwarded headers of the client', async ({
  proxiedSite: { hub, ca },
}) => {
  const who = { email: 'nobody@example.org', password: 'a wrong password', remember: false };
  const attempt = (localAddress: string, claim: number) =>
    sendRequest(`${hub.url}/api/private/login`, {
      method: 'POST',
      ca,
      localAddress,
      headers: {
        'content-type': 'application/json',
        origin: hub.url,
        'x-forwarded-for': `192.0.2.${claim}`,
        'x-real-ip': `192.0.2.${claim}`,
      },
      body: JSON.stringify(who),
    });
  let last = 0;
  for (let claim = 1; claim <= 40 && last !== 429; claim += 1)
    last = (await attempt('127.0.0.3', claim)).status;
  expect(last).toBe(429);
  expect((await attempt('127.0.0.4', 1)).status).not.toBe(429);
});

test('requests for other names or over plain HTTP do not reach the hub; names of device pages do', async ({
  proxiedSite: { hub, ca },
}) => {
  await expect(sendRequest(hub.url, { ca, servername: 'other.example' })).rejects.toThrow(
    /unrecognized|handshake|alert/i,
  );
  const plain = await sendRequest(`http://127.0.0.1:${hub.plainPort}/login?redirect=%2F`, {
    headers: { host: 'localhost' },
  });
  expect([plain.status, plain.headers.location]).toEqual([308, 'https://localhost/login?redirect=%2F']);
  const name = 'camera-1.proxy.localhost';
  const page = await sendRequest(`${hub.url}/`, {
    ca,
    servername: name,
    headers: { host: name },
    checkServerIdentity: () => undefined,
  });
  const direct = await sendRequest(`${hub.directUrl}/`, { headers: { host: name } });
  expect([page.status, page.text]).toEqual([direct.status, direct.text]);
  expect(page.headers.server).toMatch(/^nginx/);
});

test('the proxy streams uploads, so the hub refuses a large one before it is complete', async ({
  proxiedSite: { hub, ca },
}) => {
  const upload = request(`${hub.url}/api/v1/actions/invoke/actor_GetActor`, {
    agent: false,
    method: 'POST',
    ca,
    headers: { 'content-type': 'application/json', 'content-length': 100 * 1024 * 1024 },
  });
  upload.on('error', () => undefined);
  upload.write('{');
  const [answer] = (await once(upload, 'response')) as [{ statusCode: number }];
  expect(answer.statusCode).toBe(413);
  upload.destroy();
});

test('the live view is not buffered, and its beats keep it open beyond the read timeout of nginx, as pings keep a device connected', async ({
  proxiedSite: { hub, ca, token, operator },
  devices,
}) => {
  const device = await devices.make(hub, token, { NODE_EXTRA_CA_CERTS: hub.authorityFile });
  const agent = device.run();
  const { deviceId } = await agent.connected();
  const stream = request(`${hub.url}/api/v1/stream`, {
    agent: false,
    ca,
    headers: { cookie: operator.cookie },
  });
  stream.end();
  const [answer] = (await once(stream, 'response')) as [NodeJS.ReadableStream];
  let text = '';
  let isOpen = true;
  const ended = new Promise((resolve) => answer.on('error', resolve).on('close', resolve));
  void ended.then(() => (isOpen = false));
  answer.setEncoding('utf8').on('data', (part) => (text += String(part)));
  await expect.poll(() => text).toContain('retry:');
  await operator.invoke('devices_SetDeviceName', { deviceId, name: 'crane' });
  await expect.poll(() => text).toContain('event: change');
  // Beats come every two seconds.
  const openForSecs = () => 2 * (text.match(/event: beat/g)?.length ?? 0);
  await expect.poll(openForSecs).toBeGreaterThan(proxyReadTimeoutSecs);
  expect(isOpen).toBe(true);
  stream.destroy();
  const { connections } = await operator.invoke('devices_GetDeviceDetails', { deviceId });
  expect(connections).toHaveLength(1);
  expect(agent.output().match(/connected to/g)).toHaveLength(1);
});
