import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { hubCertificate, type HubCertificate } from '../../test/device-certificate.ts';
import { deviceHeaders, newDevice, type TestDevice } from '../../test/device-client.ts';
import { deviceDoor, type DeviceDoor } from '../../test/device-door.ts';
import { rawUpgrade, RawWebSocket, type RawAnswer, type RawOptions } from '../../test/raw-web-socket.ts';
import { system } from '../../test/fresh-executor.ts';
import { createServer } from '../http/create-server.ts';

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
  let door: DeviceDoor;
  beforeAll(async () => void (door = await deviceDoor({ certificateTrust: () => 'never' })));
  afterAll(() => door[Symbol.asyncDispose]());

  const recorded = async () => {
    const { actions } = await door.hub.as(system, 'audit_QueryAuditLogActions', {});
    return actions.filter(({ action }) => action === 'cluster_ReportUntrustedCertificateHeader');
  };

  test('is refused, also of command lines and when empty, and adds one row a minute to the audit log', async () => {
    const sentence = 'The header X-Client-Cert is not accepted from this address.';
    const refused = { status: 400, body: JSON.stringify({ kind: 'Invalid', message: sentence }) };
    const device = deviceHeaders(await newDevice(), door.token);
    expect(await outcome(door.url, device)).toMatchObject(refused);
    const { headers } = await door.userHeaders();
    for (const value of ['', 'anything', ['one', 'two']])
      expect(await outcome(door.url, { ...headers, 'x-client-cert': value })).toMatchObject(refused);
    expect(await outcome(door.url, headers)).toBe('admitted');
    await vi.waitFor(async () => expect(await recorded()).toHaveLength(1));
    door.pass(61_000);
    // Rows are listed by the hub's clock, newest first.
    door.hub.advance(61);
    expect(await outcome(door.url, device)).toMatchObject(refused);
    await vi.waitFor(async () => expect(await recorded()).toHaveLength(2));
    expect((await recorded()).map(({ data }) => data)).toEqual([
      { remoteAddress: '127.0.0.1', attempts: 4 },
      { remoteAddress: '127.0.0.1', attempts: 1 },
    ]);
  });
});

describe('behind a trusted proxy that speaks TLS to the hub', () => {
  let hub: HubCertificate;
  let door: DeviceDoor;
  beforeAll(async () => {
    hub = await hubCertificate();
    const tls = { cert: hub.certPem, key: hub.keyPem };
    door = await deviceDoor({
      certificateTrust: () => 'only',
      createServer: () => createServer(tls, (_request, response) => response.end()),
    });
  });
  afterAll(() => door[Symbol.asyncDispose]());

  test('the header identifies the device, and the certificate of the proxy is ignored', async () => {
    const [device, proxy] = [await newDevice(), (await newDevice()).certificate];
    const byProxy = { tls: { cert: proxy.certificatePem, key: proxy.keyPem, ca: hub.caPem } };
    const silent = await outcome(door.url, withoutHeader(device, door.token), byProxy);
    expect(silent).toMatchObject({ status: 400, body: expect.stringContaining('certificate is missing') });
    const empty = { ...withoutHeader(device, door.token), 'x-client-cert': '' };
    expect(await outcome(door.url, empty, byProxy)).toMatchObject({ status: 400 });
    expect(await outcome(door.url, deviceHeaders(device, door.token), byProxy)).toBe('admitted');
    const { devices } = await door.hub.as(door.owner, 'projects_QueryProjectDevices', {
      projectId: door.projectId,
    });
    const { certificates } = await door.details(devices[0]!.deviceId);
    expect(certificates.map(({ fingerprint }) => fingerprint)).toEqual([device.certificate.fingerprint]);
  });

  test('a repeated or folded header is refused', async () => {
    const device = deviceHeaders(await newDevice(), door.token);
    const header = String(device['x-client-cert']);
    expect(await outcome(door.url, { ...device, 'x-client-cert': [header, header] })).toMatchObject({
      status: 400,
      body: expect.stringContaining('only once'),
    });
    const half = Math.floor(header.length / 2);
    const folded = `${header.slice(0, half)}\r\n ${header.slice(half)}`;
    expect(await outcome(door.url, { ...device, 'x-client-cert': folded })).toMatchObject({ status: 400 });
  });
});
