import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { hubCertificate, type HubCertificate } from '../../../test/device-certificate.ts';
import { deviceHeaders, newDevice, type TestDevice } from '../../../test/device-client.ts';
import { system } from '../../../test/fresh-executor.ts';
import { gatewayScene, type GatewayScene } from '../../../test/gateway-scene.ts';
import { type RawAnswer, type RawOptions, rawUpgrade, RawWebSocket } from '../../../test/raw-web-socket.ts';
import { createServer } from '../http/node-server.ts';

type Headers = Record<string, string | string[]>;

async function outcome(url: string, headers: Headers, options?: RawOptions): Promise<RawAnswer | 'admitted'> {
  const answer = await rawUpgrade(url, headers, options);
  if (!(answer instanceof RawWebSocket)) return answer;
  answer.socket.destroy();
  return 'admitted';
}

function withoutHeader(device: TestDevice, token: string): Headers {
  const { 'x-client-cert': _left, ...headers } = deviceHeaders(device, token);
  return headers;
}

describe('a certificate header from an untrusted address', () => {
  let scene: GatewayScene;
  beforeAll(async () => void (scene = await gatewayScene({ certificateTrust: () => 'never' })));
  afterAll(() => scene[Symbol.asyncDispose]());

  const recorded = async () => {
    const { actions } = await scene.hub.as(system, 'audit_QueryAuditLogActions', {});
    return actions.filter(({ action }) => action === 'cluster_ReportUntrustedCertificateHeader');
  };

  test('is refused, also of command lines and when empty, and adds one row a minute to the audit log', async () => {
    const sentence = 'The header X-Client-Cert is not accepted from this address.';
    const refused = { status: 400, body: JSON.stringify({ kind: 'Invalid', message: sentence }) };
    const device = deviceHeaders(await newDevice(), scene.token);
    expect(await outcome(scene.url, device)).toMatchObject(refused);
    const { headers } = await scene.userHeaders();
    for (const value of ['', 'anything', ['one', 'two']])
      expect(await outcome(scene.url, { ...headers, 'x-client-cert': value })).toMatchObject(refused);
    expect(await outcome(scene.url, headers)).toBe('admitted');
    await vi.waitFor(async () => expect(await recorded()).toHaveLength(1));
    scene.advance(61_000);
    // Rows are listed by the hub's clock, newest first.
    scene.hub.advance(61);
    expect(await outcome(scene.url, device)).toMatchObject(refused);
    await vi.waitFor(async () => expect(await recorded()).toHaveLength(2));
    expect((await recorded()).map(({ data }) => data)).toEqual([
      { remoteAddress: '127.0.0.1', attempts: 4 },
      { remoteAddress: '127.0.0.1', attempts: 1 },
    ]);
  });
});

describe('behind a trusted proxy that speaks TLS to the hub', () => {
  let hub: HubCertificate;
  let scene: GatewayScene;
  beforeAll(async () => {
    hub = await hubCertificate();
    const tls = { cert: hub.certPem, key: hub.keyPem };
    scene = await gatewayScene({
      certificateTrust: () => 'only',
      createServer: () => createServer(tls, (_request, response) => response.end()),
    });
  });
  afterAll(() => scene[Symbol.asyncDispose]());

  test('the header identifies the device, and the certificate of the proxy is ignored', async () => {
    const [device, proxy] = [await newDevice(), (await newDevice()).certificate];
    const byProxy = { tls: { cert: proxy.certificatePem, key: proxy.keyPem, ca: hub.caPem } };
    const silent = await outcome(scene.url, withoutHeader(device, scene.token), byProxy);
    expect(silent).toMatchObject({ status: 400, body: expect.stringContaining('certificate is missing') });
    const empty = { ...withoutHeader(device, scene.token), 'x-client-cert': '' };
    expect(await outcome(scene.url, empty, byProxy)).toMatchObject({ status: 400 });
    expect(await outcome(scene.url, deviceHeaders(device, scene.token), byProxy)).toBe('admitted');
    const { devices } = await scene.hub.as(scene.owner, 'projects_QueryProjectDevices', {
      projectId: scene.projectId,
    });
    const { certificates } = await scene.details(devices[0]!.deviceId);
    expect(certificates.map(({ fingerprint }) => fingerprint)).toEqual([device.certificate.fingerprint]);
  });

  test('a repeated or folded header is refused', async () => {
    const device = deviceHeaders(await newDevice(), scene.token);
    const header = String(device['x-client-cert']);
    expect(await outcome(scene.url, { ...device, 'x-client-cert': [header, header] })).toMatchObject({
      status: 400,
      body: expect.stringContaining('only once'),
    });
    const half = Math.floor(header.length / 2);
    const folded = `${header.slice(0, half)}\r\n ${header.slice(half)}`;
    expect(await outcome(scene.url, { ...device, 'x-client-cert': folded })).toMatchObject({ status: 400 });
  });
});
