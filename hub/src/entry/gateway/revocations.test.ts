import type { Id } from '@corral/contract';
import type { ConnectionEnd } from '@corral/multiplex';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectLink, isOpen, newDevice } from '../../../test/device-client.ts';
import { system } from '../../../test/fresh-executor.ts';
import { gatewayScene, deviceIdOf, type GatewayScene } from '../../../test/gateway-scene.ts';

let scene: GatewayScene;
beforeAll(async () => void (scene = await gatewayScene()));
afterAll(() => scene[Symbol.asyncDispose]());

describe('revocation closes live connections at once', () => {
  async function live(isRegistered = true) {
    const own = await scene.newToken(true);
    const link = await scene.connectDevice(await newDevice(), own.token, isRegistered);
    const deviceId = await deviceIdOf(link);
    const certificateId = (await scene.details(deviceId)).certificates[0]
      ?.certificateId as Id<'deviceCertificate'>;
    return { link, deviceId, certificateId, tokenId: own.tokenId };
  }
  type Live = Awaited<ReturnType<typeof live>>;
  const revocations: [string, (device: Live) => Promise<unknown>][] = [
    [
      'revoking the certificate',
      ({ certificateId }) =>
        scene.hub.as(scene.owner, 'devices_SetDeviceCertificateStatus', { certificateId, status: 'Revoked' }),
    ],
    [
      'deleting the certificate',
      ({ certificateId }) => scene.hub.as(scene.owner, 'devices_DeleteDeviceCertificate', { certificateId }),
    ],
    [
      'deleting the device',
      ({ deviceId }) => scene.hub.as(scene.owner, 'devices_DeleteDevice', { deviceId }),
    ],
    [
      'deleting the token',
      (device) => scene.hub.as(scene.owner, 'projects_DeleteDeploymentToken', { tokenId: device.tokenId }),
    ],
  ];

  test.each(revocations)('%s', async (_what, revoke) => {
    const device = await live();
    await revoke(device);
    const end: ConnectionEnd = await device.link.connection.closed;
    expect(end).toMatchObject({ cause: 'peer', reason: expect.stringMatching(/certificate|device|token/) });
  });

  test('also one-shot connections', async () => {
    const device = await live(false);
    await scene.hub.as(scene.owner, 'devices_SetDeviceCertificateStatus', {
      certificateId: device.certificateId,
      status: 'Revoked',
    });
    expect(await device.link.connection.closed).toMatchObject({ cause: 'peer' });
  });

  test('deleting the project', async () => {
    const other = await scene.hub.as(scene.owner, 'projects_CreateProject', { name: 'Doomed' });
    const own = await scene.hub.as(scene.owner, 'projects_CreateDeploymentToken', {
      projectId: other.projectId,
      name: 't',
      flags: { autoAccept: true },
    });
    const link = await scene.connectDevice(await newDevice(), own.token);
    await scene.hub.as(scene.owner, 'projects_DeleteProject', { projectId: other.projectId });
    expect(await link.connection.closed).toMatchObject({ cause: 'peer' });
  });

  test('disabling the user of a command line, which then cannot connect', async () => {
    const { headers } = await scene.userHeaders();
    const connected = await connectLink(scene.url, headers);
    if (!isOpen(connected)) throw new Error(connected.body.message);
    const { userId } = scene.owner;
    const setDisabled = (isDisabled: boolean) =>
      scene.hub.as(system, 'users_SetUserIsDisabled', { userId, isDisabled });
    await setDisabled(true);
    expect(await connected.connection.closed).toMatchObject({
      cause: 'peer',
      reason: 'the user was disabled',
    });
    expect(isOpen(await connectLink(scene.url, headers))).toBe(false);
    await setDisabled(false);
  });

  test('and no other connection', async () => {
    const bystander = await live();
    const victim = await live();
    await scene.hub.as(scene.owner, 'devices_DeleteDevice', { deviceId: victim.deviceId });
    await victim.link.connection.closed;
    expect(bystander.link.connection.end).toBeUndefined();
    bystander.link.connection.close('');
  });
});
