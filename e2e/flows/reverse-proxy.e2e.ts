import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { test as base, expect } from '@playwright/test';
import { createDevices, type Device, type Devices } from '../fixtures/agent.ts';
import { administrator } from '../fixtures/hub-process.ts';
import { knock, send } from '../fixtures/knock.ts';
import { newProject, newToken, signInByApi, type Operator } from '../fixtures/operator.ts';
import { startProxiedHub, type ProxiedHub } from '../fixtures/reverse-proxy.ts';

interface Site {
  readonly hub: ProxiedHub;
  readonly ca: string;
  /** The administrator, who asks the hub without a detour. */
  readonly operator: Operator;
  readonly token: string;
}

const silentForSecs = 7;

const test = base.extend<{ devices: Devices }, { site: Site }>({
  site: [
    async ({}, use) => {
      const hub = await startProxiedHub(silentForSecs);
      const operator = await signInByApi({ url: hub.directUrl, origin: hub.url });
      const { token } = await newToken(operator, await newProject(operator));
      await use({ hub, operator, token, ca: await readFile(hub.authorityFile, 'utf8') });
      await hub.stop();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  devices: async ({}, use) => {
    const devices = createDevices();
    await use(devices);
    await devices.end();
  },
  baseURL: async ({ site }, use) => use(site.hub.url),
  ignoreHTTPSErrors: true,
});

/** What a device connects with but its certificate; without a known fingerprint it is a new one. */
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

/** The certificate that a device made for itself, as a TLS client shows it. */
async function identityOf({ stateDir }: Device): Promise<{ cert: string; key: string }> {
  const read = (name: string) => readFile(join(stateDir, name), 'utf8');
  return { cert: await read('certificate.pem'), key: await read('key.pem') };
}

test('people sign in over HTTP/2 and see a device of theirs connect, by the certificate of its handshake with the proxy', async ({
  page,
  site,
  devices,
  context,
}) => {
  await page.goto('/login');
  await page.getByLabel('Email').fill(administrator.email);
  await page.getByLabel('Password (required)').fill(administrator.password);
  await page.getByRole('button', { name: 'Sign In' }).click();
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
  const token = /--token (\S+)/.exec(command)?.[1] ?? '';
  const device = await devices.make(site.hub, token, { NODE_EXTRA_CA_CERTS: site.hub.authorityFile });
  const { deviceId } = await device.run().connected();
  // The page polls once in half a minute; it is the live view that tells it so soon.
  await expect(page.getByText(`Connected: ${deviceId}`)).toBeVisible();
  const { certificates } = await site.operator.invoke('devices_GetDeviceDetails', { deviceId });
  expect(certificates.map(({ fingerprint }) => fingerprint)).toEqual([
    await device.call('certificate', 'fingerprint'),
  ]);
});

test('a certificate header of a client never reaches the hub through the proxy', async ({
  site: { hub, ca, token, operator },
  devices,
}) => {
  const [honest, other] = [await devices.make(hub, token), await devices.make(hub, token)];
  const stolen = encodeURIComponent((await identityOfNew(other)).cert);
  const claims = { ...deviceHeaders(token), 'x-client-cert': stolen };
  expect(await knock(hub.url, claims, { ca })).toMatchObject({
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
  expect((await knock(hub.url, both, { ca, ...own })).status).toBe(101);
  expect((await knock(hub.url, deviceHeaders(token, fingerprint), { ca, ...own })).status).toBe(101);
  expect((await knock(hub.url, both, { ca, ...(await identityOf(other)) })).status).toBe(403);
  const { actions } = await operator.invoke('audit_QueryAuditLogActions', {});
  expect(actions.map(({ action }) => action)).not.toContain('cluster_ReportUntrustedCertificateHeader');
});

/** A device makes its certificate when it first needs it. */
async function identityOfNew(device: Device): Promise<{ cert: string; key: string }> {
  await device.call('certificate', 'fingerprint');
  return identityOf(device);
}

test('the header is believed from the proxy alone: beside it the hub refuses it and notes it down', async ({
  site: { hub, token, operator },
  devices,
}) => {
  const { cert } = await identityOfNew(await devices.make(hub, token));
  const headers = { ...deviceHeaders(token), 'x-client-cert': encodeURIComponent(cert) };
  const beside = await knock(hub.directUrl, headers, { localAddress: '127.0.0.2' });
  expect(beside).toMatchObject({
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
  test(`a session of ${version} is never resumed, so that each handshake shows its certificate`, async ({
    site: { hub, ca, token },
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
    const shown = await knock(hub.url, deviceHeaders(token, fingerprint), { ...options, ...identity });
    expect(shown.status).toBe(101);
    const resumed = await knock(hub.url, deviceHeaders(token, fingerprint), {
      ...options,
      ...(session === undefined ? {} : { session }),
    });
    expect(resumed).toMatchObject({ status: 400, text: expect.stringContaining('certificate is missing') });
  });

test('the hub counts clients by the address that the proxy saw, not by what they claim', async ({
  site: { hub, ca },
}) => {
  const who = { email: 'nobody@example.org', password: 'a wrong password', remember: false };
  const attempt = (localAddress: string, claim: number) =>
    send(`${hub.url}/api/private/login`, {
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

test('a request for another name, or over plain HTTP, does not reach the hub; the names of device pages do', async ({
  site: { hub, ca },
}) => {
  await expect(send(hub.url, { ca, servername: 'other.example' })).rejects.toThrow(
    /unrecognized|handshake|alert/i,
  );
  const plain = await send(`http://127.0.0.1:${hub.plainPort}/login?redirect=%2F`, {
    headers: { host: 'localhost' },
  });
  expect([plain.status, plain.headers.location]).toEqual([308, 'https://localhost/login?redirect=%2F']);
  const name = 'camera-1.proxy.localhost';
  const page = await send(`${hub.url}/`, {
    ca,
    servername: name,
    headers: { host: name },
    checkServerIdentity: () => undefined,
  });
  const direct = await send(`${hub.directUrl}/`, { headers: { host: name } });
  expect([page.status, page.text]).toEqual([direct.status, direct.text]);
  expect(page.headers.server).toMatch(/^nginx/);
});

test('an upload reaches the hub as it comes, so that it can refuse what is too large before it is all there', async ({
  site: { hub, ca },
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

test('the live view is not held back, and a silent stream is cut before a device that pings', async ({
  site: { hub, ca, token, operator },
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
  const ended = new Promise((resolve) => answer.on('error', resolve).on('close', resolve));
  answer.setEncoding('utf8').on('data', (part) => (text += String(part)));
  await expect.poll(() => text).toContain('retry:');
  await operator.invoke('devices_SetDeviceName', { deviceId, name: 'crane' });
  await expect.poll(() => text).toContain('event: change');
  // nginx gives up a peer that is silent for longer than it waits; the hub's next beat comes later than that here.
  await ended;
  expect(hub.proxyLog()).toContain('upstream timed out');
  const { connections } = await operator.invoke('devices_GetDeviceDetails', { deviceId });
  expect(connections).toHaveLength(1);
  expect(agent.output().match(/connected to/g)).toHaveLength(1);
});
