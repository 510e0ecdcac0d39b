import { ids, type Id } from '@corral/contract';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { connectLink, deviceHeaders, newDevice } from '../../test/device-client.ts';
import { commandLineHeaders, gatewayScene, deviceIdOf, type GatewayScene } from '../../test/gateway-scene.ts';
import { freshGateway } from '../../test/fresh-gateway.ts';
import { rawUpgrade, RawWebSocket } from '../../test/raw-web-socket.ts';

let scene: GatewayScene;
beforeAll(async () => void (scene = await gatewayScene()));
afterAll(() => scene[Symbol.asyncDispose]());

describe('admission', () => {
  test('admits a new device by a token with auto-accept, and recognises it later', async () => {
    const device = await newDevice();
    const link = await scene.connectDevice(device);
    const deviceId = await deviceIdOf(link);
    expect(await scene.details(deviceId)).toMatchObject({
      isConnected: true,
      certificates: [{ status: 'Active', fingerprint: device.certificate.fingerprint }],
      connections: [{ nodeId: scene.nodeId }],
    });
    link.socket.destroy();
    const again = await scene.connectDevice(device);
    expect(await deviceIdOf(again)).toBe(deviceId);
    again.connection.close('');
  });

  test('refuses a device with a pending certificate, and keeps the device', async () => {
    const device = await newDevice();
    const manual = await scene.newToken(false);
    const answer = await connectLink(scene.url, deviceHeaders(device, manual.token));
    expect(answer).toMatchObject({
      status: 403,
      body: { kind: 'Forbidden', message: expect.stringMatching(/pending/i) },
    });
    const { devices } = await scene.hub.as(scene.owner, 'projects_QueryProjectDevices', {
      projectId: scene.projectId,
    });
    const pending = devices.find(({ pendingCertificatesCount }) => pendingCertificatesCount === 1);
    expect(pending).toMatchObject({ isConnected: false });
    const { certificates } = await scene.details(pending?.deviceId as Id<'device'>);
    const certificateId = certificates[0]?.certificateId as Id<'deviceCertificate'>;
    await scene.hub.as(scene.owner, 'devices_SetDeviceCertificateStatus', {
      certificateId,
      status: 'Active',
    });
    (await scene.connectDevice(device, manual.token)).connection.close('');
  });

  test('adds a new certificate of a known device as pending, even with auto-accept', async () => {
    const device = await newDevice();
    (await scene.connectDevice(device)).connection.close('');
    const renewed = { ...device, certificate: (await newDevice()).certificate };
    const answer = await connectLink(scene.url, deviceHeaders(renewed, scene.token));
    expect(answer).toMatchObject({ status: 403 });
  });

  const broken: [string, (headers: Record<string, string>) => Record<string, string | string[]>, number][] = [
    [
      'an unknown token',
      (h) => ({ ...h, authorization: `Bearer ${absent}`, 'x-deployment-token': absent }),
      401,
    ],
    ['a malformed token', (h) => ({ ...h, authorization: 'Bearer x', 'x-deployment-token': 'x' }), 401],
    ['no token', ({ authorization: _a, 'x-deployment-token': _t, ...h }) => h, 400],
    ['two different tokens', (h) => ({ ...h, authorization: `Bearer ${absent}` }), 400],
    ['no fingerprint', ({ 'x-device-fingerprint': _f, ...h }) => h, 400],
    ['a malformed fingerprint', (h) => ({ ...h, 'x-device-fingerprint': 'd_sk_0' }), 400],
    ['no X-Register-Connection', ({ 'x-register-connection': _r, ...h }) => h, 400],
    ['no certificate', ({ 'x-client-cert': _c, ...h }) => h, 400],
    ['a malformed certificate', (h) => ({ ...h, 'x-client-cert': 'nonsense' }), 400],
    ['text behind the certificate', (h) => ({ ...h, 'x-client-cert': `${h['x-client-cert']}trailing` }), 400],
    ['a certificate with broken escapes', (h) => ({ ...h, 'x-client-cert': '%zz' }), 400],
    ['a certificate of more than 8 KiB', (h) => ({ ...h, 'x-client-cert': 'A'.repeat(9_000) }), 400],
  ];
  const absent = ids.deploymentToken.of('1'.repeat(66));

  test.each(broken)('refuses %s with a sentence', async (_what, change, status) => {
    const answer = await connectLink(scene.url, change(deviceHeaders(await newDevice(), scene.token)));
    expect(answer).toMatchObject({ status, body: { message: expect.stringMatching(/^[A-Z].*\.$/) } });
  });

  test('refuses a certificate header from an untrusted address', async () => {
    await using strict = await freshGateway({ certificateTrust: () => 'never' });
    const answer = await connectLink(strict.url, deviceHeaders(await newDevice(), absent));
    expect(answer).toMatchObject({ status: 400, body: { kind: 'Invalid' } });
  });
});

describe('connections of one holder', () => {
  test.each([
    ['one-shot commands of a device', 16, 'This device'],
    ['command lines with one token', 64, 'This user or token'],
  ])('by %s are at most %i; the place of one that has ended is free', async (what, most, who) => {
    const device = await newDevice();
    const isDevice = what.includes('device');
    const headers = isDevice
      ? deviceHeaders(device, scene.token, false)
      : (await scene.userHeaders()).headers;
    const open: RawWebSocket[] = [];
    for (let count = 0; count < most; count += 1) open.push(await admitted(headers));
    const refused = await rawUpgrade(scene.url, headers);
    expect(refused).toMatchObject({
      status: 429,
      body: expect.stringContaining(`${who} has as many connections as it may have.`),
    });
    open.pop()?.socket.destroy();
    await vi.waitFor(async () => open.push(await admitted(headers)));
    for (const { socket } of open) socket.destroy();
  });

  test('by command lines of one user are at most 128, over all tokens', async () => {
    const user = await scene.hub.user('many@example.org');
    const tokens = await Promise.all(
      ['one', 'two', 'three'].map((name) =>
        scene.hub.as(user, 'users_CreateUserToken', { userId: user.userId, name }),
      ),
    );
    const [first = {}, second = {}, third = {}] = tokens.map(({ token }) => commandLineHeaders(token));
    const open: RawWebSocket[] = [];
    for (let count = 0; count < 64; count += 1) open.push(await admitted(first), await admitted(second));
    expect(open).toHaveLength(128);
    expect(await rawUpgrade(scene.url, third)).toMatchObject({
      status: 429,
      body: expect.stringContaining('This user or token has as many connections as it may have.'),
    });
    open.pop()?.socket.destroy();
    await vi.waitFor(async () => open.push(await admitted(third)));
    for (const { socket } of open) socket.destroy();
  });

  async function admitted(headers: Record<string, string>): Promise<RawWebSocket> {
    const answer = await rawUpgrade(scene.url, headers);
    if (!(answer instanceof RawWebSocket)) throw new Error(answer.body);
    return answer;
  }
});

test('a node with as many connections as it may have refuses more, with a time to retry', async () => {
  await using full = await gatewayScene({ maxLinks: 2 });
  const links = [await full.connectDevice(), await full.connectDevice()];
  const refused = await rawUpgrade(full.url, deviceHeaders(await newDevice(), full.token));
  expect(refused).toMatchObject({
    status: 503,
    headers: { 'retry-after': expect.stringMatching(/^[1-9]\d*$/) },
    body: expect.stringContaining('This node has as many connections as it may have.'),
  });
  for (const { connection } of links) connection.close('');
});
