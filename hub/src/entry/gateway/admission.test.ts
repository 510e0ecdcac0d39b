import { type Id } from '@corral/contract';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { connectLink, deviceHeaders, newDevice } from '../../../test/device-client.ts';
import { gatewayScene, deviceIdOf, type GatewayScene } from '../../../test/gateway-scene.ts';
import { rawUpgrade, RawWebSocket } from '../../../test/raw-web-socket.ts';

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
});

test('one-shot commands of a device have at most 16 connections; the place of one that has ended is free', async () => {
  const headers = deviceHeaders(await newDevice(), scene.token, false);
  const open: RawWebSocket[] = [];
  const connect = async () => {
    const answer = await rawUpgrade(scene.url, headers);
    if (!(answer instanceof RawWebSocket)) throw new Error(answer.body);
    open.push(answer);
  };
  for (let count = 0; count < 16; count += 1) await connect();
  await expect(connect()).rejects.toThrow('This device has as many connections as it may have.');
  open.pop()?.socket.destroy();
  await vi.waitFor(connect);
  for (const { socket } of open) socket.destroy();
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
