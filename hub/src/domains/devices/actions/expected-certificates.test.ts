import { ids } from '@corral/contract';
import { beforeEach, expect, test } from 'vitest';
import { deviceScene } from '../../../../test/device-scene.ts';
import { newCertificate, seedDevice, seedProject, seedToken } from '../../../../test/seed.ts';
import { goOnWithChanges } from '../../fleet/jobs/go-on-with-changes.ts';
import { AuthenticateDevice } from '../internal/AuthenticateDevice.ts';

const { hub, project, member, device } = deviceScene();
const log = {
  warn(fields: unknown, message: string) {
    throw new Error(message, { cause: fields });
  },
};

/** Another deployment token of the project, which is for any device. */
let other: Awaited<ReturnType<typeof seedToken>>;
beforeEach(async () => {
  other = await seedToken(hub, project);
  await hub.database.db
    .updateTable('deployment_tokens')
    .set({ is_for_one: true, device_id: ids.device.raw(device.deviceId) })
    .where('token_id', '=', ids.deploymentTokenId.raw(device.tokenId))
    .execute();
});

async function openWindow() {
  const { deviceId } = device;
  await hub.as(project.owner, 'devices_StartCertificateRotation', { deviceId, windowSecs: 3_600 });
  while (await goOnWithChanges({ executor: hub.executor, log }));
}

/** Comes with a certificate, which waits for a decision. */
async function come(certificate: string, token = device.shown.token) {
  const { fingerprint } = device.shown;
  await expect(hub.run(AuthenticateDevice, { token, fingerprint, certificate })).rejects.toThrow('pending');
}

/** The fingerprints of those that are expected: by the list, and by the page of the device. */
async function expected(): Promise<string[]> {
  const { projectId } = project;
  const list = await hub.as(member, 'projects_QueryPendingCertificates', { projectId });
  const details = await hub.as(member, 'devices_GetDeviceDetails', { deviceId: device.deviceId });
  const [listed, shown] = [list.certificates, details.certificates].map((certificates) =>
    certificates.flatMap(({ isExpected, fingerprint }) => (isExpected === true ? [fingerprint] : [])),
  );
  expect(shown?.toSorted()).toEqual(listed?.toSorted());
  return listed ?? [];
}

test('a certificate is expected that came with the bound token while the window was open, and as long as it is', async () => {
  const [before, after] = [newCertificate(), newCertificate()];
  await come(before);
  hub.advance(1);
  expect(await expected()).toEqual([]);
  await openWindow();
  await come(after);
  expect(await expected()).toEqual([after]);
  hub.advance(3_601);
  expect(await expected()).toEqual([]);
});

test('one that came with another token of the project, was added by a person, or is that of another device is not', async () => {
  await openWindow();
  await come(newCertificate(), other.token);
  const { deviceId } = device;
  await hub.as(member, 'devices_AddDeviceCertificate', { deviceId, fingerprint: newCertificate() });
  const { shown } = await seedDevice(hub, await seedProject(hub, 'Elsewhere'));
  await come(shown.certificate);
  expect(await expected()).toEqual([]);
});

test('it is not expected any more where the rotation is cancelled or the token deleted', async () => {
  const certificate = newCertificate();
  await openWindow();
  await come(certificate);
  expect(await expected()).toEqual([certificate]);
  await hub.as(project.owner, 'devices_CancelCertificateRotation', { deviceId: device.deviceId });
  expect(await expected()).toEqual([]);
  hub.advance(1);
  await openWindow();
  const next = newCertificate();
  await come(next);
  expect(await expected()).toEqual([next]);
  await hub.as(project.owner, 'projects_DeleteDeploymentToken', { tokenId: device.tokenId });
  expect(await expected()).toEqual([]);
});
