import { ids, type Id } from '@corral/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectLink, deviceHeaders, newDevice } from '../../test/device-client.ts';
import { deviceDoor, deviceIdOf, type DeviceDoor } from '../../test/device-door.ts';
import { freshGateway } from '../../test/fresh-gateway.ts';

let door: DeviceDoor;
beforeAll(async () => void (door = await deviceDoor()));
afterAll(() => door[Symbol.asyncDispose]());

describe('admission', () => {
  test('admits a new device by a token with auto-accept, and recognises it later', async () => {
    const device = await newDevice();
    const link = await door.connectDevice(device);
    const deviceId = await deviceIdOf(link);
    expect(await door.details(deviceId)).toMatchObject({
      isConnected: true,
      certificates: [{ status: 'Active', fingerprint: device.certificate.fingerprint }],
      connections: [{ nodeId: door.nodeId }],
    });
    link.socket.destroy();
    const again = await door.connectDevice(device);
    expect(await deviceIdOf(again)).toBe(deviceId);
    again.connection.close('');
  });

  test('refuses a device with a pending certificate, and keeps the device', async () => {
    const device = await newDevice();
    const manual = await door.newToken(false);
    const answer = await connectLink(door.url, deviceHeaders(device, manual.token));
    expect(answer).toMatchObject({
      status: 403,
      body: { kind: 'Forbidden', message: expect.stringMatching(/pending/i) },
    });
    const { devices } = await door.hub.as(door.owner, 'projects_QueryProjectDevices', {
      projectId: door.projectId,
    });
    const pending = devices.find(({ pendingCertificatesCount }) => pendingCertificatesCount === 1);
    expect(pending).toMatchObject({ isConnected: false });
    const { certificates } = await door.details(pending?.deviceId as Id<'device'>);
    const certificateId = certificates[0]?.certificateId as Id<'deviceCertificate'>;
    await door.hub.as(door.owner, 'devices_SetDeviceCertificateStatus', { certificateId, status: 'Active' });
    (await door.connectDevice(device, manual.token)).connection.close('');
  });

  test('adds a new certificate of a known device as pending, even with auto-accept', async () => {
    const device = await newDevice();
    (await door.connectDevice(device)).connection.close('');
    const renewed = { ...device, certificate: (await newDevice()).certificate };
    const answer = await connectLink(door.url, deviceHeaders(renewed, door.token));
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
    const answer = await connectLink(door.url, change(deviceHeaders(await newDevice(), door.token)));
    expect(answer).toMatchObject({ status, body: { message: expect.stringMatching(/^[A-Z].*\.$/) } });
  });

  test('refuses a certificate header from an untrusted address', async () => {
    await using strict = await freshGateway({ certificateTrust: () => 'never' });
    const answer = await connectLink(strict.url, deviceHeaders(await newDevice(), absent));
    expect(answer).toMatchObject({ status: 400, body: { kind: 'Invalid' } });
  });
});
