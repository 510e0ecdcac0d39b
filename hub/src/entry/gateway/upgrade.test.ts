import { ids } from '@corral/contract';
import { once } from 'node:events';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { deviceCertificate, hubCertificate, type HubCertificate } from '../../../test/device-certificate.ts';
import { deviceHeaders, newDevice, type TestDevice } from '../../../test/device-client.ts';
import { FirstGeneration } from '../../../test/first-generation.ts';
import { commandLineHeaders, gatewayScene, type GatewayScene } from '../../../test/gateway-scene.ts';
import { type RawAnswer, type RawOptions, rawUpgrade, RawWebSocket } from '../../../test/raw-web-socket.ts';
import { createServer } from '../http/node-server.ts';

type Headers = Record<string, string | string[]>;

let scene: GatewayScene;
beforeAll(async () => void (scene = await gatewayScene()));
afterAll(() => scene[Symbol.asyncDispose]());

async function refusal(headers: Headers, options?: RawOptions): Promise<RawAnswer> {
  const answer = await rawUpgrade(scene.url, headers, options);
  if (answer instanceof RawWebSocket) throw new Error('admitted');
  return answer;
}

/** The actor of a connection with these headers. */
async function actorOf(url: string, headers: Headers, options?: RawOptions) {
  const answer = await rawUpgrade(url, headers, options);
  if (!(answer instanceof RawWebSocket)) throw new Error(answer.body);
  const peer = new FirstGeneration(answer);
  const { value } = (await peer.call('actor_GetActor', {})) as { value: { actor: Record<string, string> } };
  peer.leave();
  return value.actor;
}

async function fingerprintsOf(at: GatewayScene, deviceId: string | undefined): Promise<string[]> {
  const { certificates } = await at.details(deviceId as never);
  return certificates.map(({ fingerprint }) => fingerprint);
}

/** Percent-encodes every byte except ASCII letters and digits, as the existing agent may. */
const encodeAllButAlphanumerics = (text: string): string =>
  [...Buffer.from(text)]
    .map((byte) => String.fromCharCode(byte))
    .map((symbol) =>
      /[A-Za-z0-9]/.test(symbol)
        ? symbol
        : `%${symbol.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
    )
    .join('');

describe('the certificate is read from the header', () => {
  test('from the leaf of a chain, which comes first', async () => {
    const device = await newDevice();
    const pems = [device.certificate, await deviceCertificate(), await deviceCertificate()];
    const chain = pems.map(({ certificatePem }) => `${certificatePem.trimEnd()}\n`).join('');
    const headers = {
      ...deviceHeaders(device, scene.token),
      'x-client-cert': encodeAllButAlphanumerics(chain),
    };
    const { deviceId } = await actorOf(scene.url, headers);
    expect(await fingerprintsOf(scene, deviceId)).toEqual([device.certificate.fingerprint]);
  });
});

describe('the device token is read', () => {
  test('from Authorization only', async () => {
    const { 'x-deployment-token': _u, ...headers } = deviceHeaders(await newDevice(), scene.token);
    expect(await actorOf(scene.url, headers)).toMatchObject({ actor: 'Device' });
  });

  test.each([
    ['with both headers', (headers: Headers) => headers],
    ['from Authorization alone', ({ 'x-user-token': _u, ...headers }: Headers) => headers],
    [
      'with any X-Register-Connection',
      (headers: Headers) => ({ ...headers, 'x-register-connection': 'what' }),
    ],
    ['without X-Register-Connection', ({ 'x-register-connection': _u, ...headers }: Headers) => headers],
    ['with any certificate header', (headers: Headers) => ({ ...headers, 'x-client-cert': 'nonsense' })],
  ])('for a command line %s', async (_how, change) => {
    const { headers } = await scene.userHeaders();
    expect(await actorOf(scene.url, change(headers))).toMatchObject({
      actor: 'UserToken',
      kind: 'UserToken',
      userId: scene.owner.userId,
    });
  });
});

describe('a refusal is plain HTTP with kind and message', () => {
  const absent = ids.deploymentToken.of('1'.repeat(66));
  const cases: [string, (headers: Headers) => Headers, RawOptions, number, string][] = [
    ['no header at all', () => ({}), {}, 400, 'Invalid'],
    ['two different tokens', (h) => ({ ...h, authorization: `Bearer ${absent}` }), {}, 400, 'Invalid'],
    ['no fingerprint', ({ 'x-device-fingerprint': _f, ...h }) => h, {}, 400, 'Invalid'],
    ['no X-Register-Connection', ({ 'x-register-connection': _r, ...h }) => h, {}, 400, 'Invalid'],
    ['no certificate', ({ 'x-client-cert': _c, ...h }) => h, {}, 400, 'Invalid'],
    ['a malformed certificate', (h) => ({ ...h, 'x-client-cert': 'nonsense' }), {}, 400, 'Invalid'],
    ['no Authorization', ({ authorization: _a, 'x-deployment-token': _t, ...h }) => h, {}, 400, 'Invalid'],
    ['another scheme', (h) => ({ ...h, authorization: 'Basic eDp5' }), {}, 400, 'Invalid'],
    [
      'a repeated header',
      (h) => ({ ...h, 'x-device-fingerprint': ['d_sk_1', 'd_sk_2'] }),
      {},
      400,
      'Invalid',
    ],
    ['an unknown user token', () => commandLineHeaders(`u_sk_${'1'.repeat(66)}`), {}, 401, 'Forbidden'],
    [
      'a token of organizations',
      () => ({ authorization: `Bearer org_sk_${'1'.repeat(66)}` }),
      {},
      401,
      'Forbidden',
    ],
    ['no WebSocket key', (h) => h, { upgrade: { 'Sec-WebSocket-Key': undefined } }, 400, 'Invalid'],
    ['another WebSocket version', (h) => h, { upgrade: { 'Sec-WebSocket-Version': '12' } }, 400, 'Invalid'],
    ['an upgrade to something else', (h) => h, { upgrade: { Upgrade: 'h2c' } }, 400, 'Invalid'],
    ['another method', (h) => h, { requestLine: 'POST /api/v1/connect/ws HTTP/1.1' }, 400, 'Invalid'],
    ['malformed subprotocols', (h) => h, { upgrade: { 'Sec-WebSocket-Protocol': ',,' } }, 400, 'Invalid'],
  ];

  test.each(cases)('for %s', async (_what, change, options, status, kind) => {
    const answer = await refusal(change(deviceHeaders(await newDevice(), scene.token)), options);
    const body = JSON.parse(answer.body) as Record<string, string>;
    expect([answer.status, body['kind'], Object.keys(body)]).toEqual([status, kind, ['kind', 'message']]);
    expect(body['message']).toMatch(/^[A-Z].*\.$/);
    expect(answer.headers).toMatchObject({ 'content-type': 'application/json', connection: 'close' });
  });

  test('before anything is stored', async () => {
    const { projectId, owner, hub } = scene;
    const count = async () =>
      (await hub.as(owner, 'projects_QueryProjectDevices', { projectId })).devices.length;
    const before = await count();
    await refusal(deviceHeaders(await newDevice(), scene.token), {
      upgrade: { 'Sec-WebSocket-Key': 'short' },
    });
    expect(await count()).toBe(before);
  });

  test.each([['Rejected'], ['Active', 'Revoked']] as const)(
    'for a certificate that is pending, then %s %s',
    async (...statuses) => {
      const { token } = await scene.newToken(false);
      const headers = deviceHeaders(await newDevice(), token);
      const kept = (word: string) => ({ status: 403, body: expect.stringMatching(`Forbidden.*${word}`) });
      expect(await refusal(headers)).toMatchObject({
        ...kept('pending'),
        headers: { 'x-corral-failure': 'CertificatePending' },
      });
      const { projectId, owner, hub } = scene;
      const { devices } = await hub.as(owner, 'projects_QueryProjectDevices', { projectId });
      const pending = devices.find(({ pendingCertificatesCount }) => pendingCertificatesCount > 0);
      const { certificateId } = (await scene.details(pending!.deviceId)).certificates[0]!;
      for (const status of statuses)
        await hub.as(owner, 'devices_SetDeviceCertificateStatus', { certificateId, status });
      const refused = await refusal(headers);
      expect(refused).toMatchObject({
        ...kept(statuses.at(-1)!.toLowerCase()),
        headers: { 'x-corral-failure': `Certificate${statuses.at(-1)}` },
      });
    },
  );
});

describe('a hub that terminates TLS', () => {
  let hub: HubCertificate;
  let tls: GatewayScene;
  beforeAll(async () => {
    hub = await hubCertificate();
    const settings = { cert: hub.certPem, key: hub.keyPem };
    tls = await gatewayScene({
      certificateTrust: () => 'never',
      createServer: () => createServer(settings as never, (_request, response) => response.end()),
    });
  });
  afterAll(() => tls[Symbol.asyncDispose]());

  function bare(device: TestDevice): Headers {
    const { 'x-client-cert': _u, ...headers } = deviceHeaders(device, tls.token);
    return headers;
  }

  function shown(device: TestDevice, version: ConnectionOptions['minVersion']): RawOptions {
    const { certificatePem: cert, keyPem: key } = device.certificate;
    const verified = { ca: hub.caPem, rejectUnauthorized: true };
    return { tls: { cert, key, ...verified, minVersion: version!, maxVersion: version! } };
  }

  test.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'identifies a device by its certificate in %s',
    async (version) => {
      const device = await newDevice();
      const { deviceId } = await actorOf(tls.url, bare(device), shown(device, version));
      expect(await fingerprintsOf(tls, deviceId)).toEqual([device.certificate.fingerprint]);
      expect(await actorOf(tls.url, bare(device), shown(device, version))).toMatchObject({ deviceId });
    },
  );

  test('ends a connection by a Close frame and the end of the stream', async () => {
    const device = await newDevice();
    const answer = await rawUpgrade(tls.url, bare(device), shown(device, 'TLSv1.3'));
    const peer = new FirstGeneration(answer as RawWebSocket);
    const { value } = (await peer.call('actor_GetActor', {})) as { value: { actor: { deviceId: never } } };
    await tls.hub.as(tls.owner, 'devices_DeleteDevice', { deviceId: value.actor.deviceId });
    await peer.webSocket.ended;
    expect(peer.connectionClose).toBe('the device was deleted');
    expect(peer.webSocket.socket.readableEnded).toBe(true);
  });

  test('refuses a device without a certificate, and one that only sends the header', async () => {
    const device = await newDevice();
    const none = (await rawUpgrade(tls.url, bare(device))) as RawAnswer;
    expect(none).toMatchObject({ status: 400, body: expect.stringContaining('certificate is missing') });
    const claimed = (await rawUpgrade(tls.url, deviceHeaders(device, tls.token))) as RawAnswer;
    expect(claimed).toMatchObject({ status: 400, body: expect.stringContaining('X-Client-Cert') });
  });

  test('admits a command line without a certificate', async () => {
    const { headers } = await tls.userHeaders();
    expect(await actorOf(tls.url, headers)).toMatchObject({ actor: 'UserToken' });
  });

  test('survives a failed handshake', async () => {
    const socket = connectTls({
      host: '127.0.0.1',
      port: Number(new URL(tls.url).port),
      rejectUnauthorized: false,
      maxVersion: 'TLSv1.1',
      minVersion: 'TLSv1',
    });
    await once(socket, 'error');
    const { headers } = await tls.userHeaders();
    await vi.waitFor(async () => expect(await actorOf(tls.url, headers)).toBeDefined());
  });
});
