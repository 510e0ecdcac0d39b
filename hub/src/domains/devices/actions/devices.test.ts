import { actions, parseInput } from '@corral/contract';
import { describe, expect, test } from 'vitest';
import { deviceScene } from '../../../../test/device-scene.ts';
import type { FreshExecutor } from '../../../../test/fresh-executor.ts';
import { newCertificate, newFingerprint, seedDevice, seedNode, seedProject } from '../../../../test/seed.ts';
import { AuthenticateDevice } from '../internal/AuthenticateDevice.ts';
import { RegisterDeviceConnection } from '../internal/RegisterDeviceConnection.ts';
import { UnregisterDeviceConnection } from '../internal/UnregisterDeviceConnection.ts';

const { hub, project, member, device } = deviceScene();

const emitted = () => hub.emittedEvents.map(({ name, data }) => ({ name, data }));
const details = (actor: Parameters<FreshExecutor['as']>[0]) =>
  hub.as(actor, 'devices_GetDeviceDetails', { deviceId: device.deviceId });

describe('the details of a device', () => {
  test('show its fields, certificates and connections', async () => {
    const { deviceId, certificateId, tokenId } = device;
    const nodeId = await seedNode(hub, 'north');
    const first = await hub.run(RegisterDeviceConnection, { deviceId, nodeId, tokenId });
    await hub.run(UnregisterDeviceConnection, first);
    hub.advance(3);
    const second = await hub.run(RegisterDeviceConnection, { deviceId, nodeId });
    hub.advance(7);
    const shown = await details(member);
    expect(shown).toEqual({
      deviceId,
      projectId: project.projectId,
      fingerprintId: device.fingerprintId,
      isConnected: true,
      metadata: {},
      usage: expect.objectContaining({ propertyBytes: 0, eventsToday: 0 }),
      certificates: [
        {
          certificateId,
          status: 'Active',
          fingerprint: device.shown.certificate,
          firstSeen: expect.any(String),
        },
      ],
      connections: [{ ...second, nodeId, connectedAt: expect.any(String), connectedForSecs: 7 }],
      recentConnections: [
        { ...second, nodeId, connectedAt: expect.any(String) },
        {
          ...first,
          nodeId,
          connectedAt: expect.any(String),
          endedAt: expect.any(String),
          endReason: 'Disconnected',
        },
      ],
    });
    expect(parseInput(actions.devices_GetDeviceDetails.output, shown)).toEqual(shown);
    hub.advance(86_400);
    expect((await details(member)).recentConnections?.map(({ connectionId }) => connectionId)).toEqual([
      second.connectionId,
    ]);
  });
});

test("the list of all devices shows those of the caller's projects", async () => {
  const other = await seedProject(hub);
  await seedDevice(hub, other);
  expect(await hub.as(member, 'devices_QueryDevices', {})).toEqual({
    devices: [{ deviceId: device.deviceId, projectId: project.projectId }],
  });
});

test('a device created by a user is the one that connects', async () => {
  const fingerprint = newFingerprint();
  const { projectId } = project;
  const { deviceId } = await hub.as(member, 'devices_CreateDevice', { projectId, fingerprint });
  expect(emitted()).toEqual([{ name: 'devices_Created', data: { deviceId, projectId } }]);
  const again = await hub.refusal(member, 'devices_CreateDevice', { projectId, fingerprint });
  expect(again.message).toContain('already');
  const certificate = newCertificate();
  await hub.as(member, 'devices_AddDeviceCertificate', {
    deviceId,
    fingerprint: certificate,
    status: 'Active',
  });
  const shown = { token: device.shown.token, fingerprint, certificate };
  expect((await hub.run(AuthenticateDevice, shown)).deviceId).toBe(deviceId);
});

test('a deleted device is removed with its data, and comes back as another one that waits to be accepted', async () => {
  const { deviceId } = device;
  await hub.as(member, 'devices_SetDeviceName', { deviceId, name: 'Press 7' });
  hub.emittedEvents.length = 0;
  await hub.as(member, 'devices_DeleteDevice', { deviceId });
  const { projectId } = project;
  expect(emitted()).toEqual([{ name: 'devices_Deleted', data: { deviceId, projectId, name: 'Press 7' } }]);
  expect((await hub.refusal(member, 'devices_DeleteDevice', { deviceId })).message).toBe('Device not found.');
  expect((await hub.refused(AuthenticateDevice, device.shown)).message).toContain('pending');
  const listed = await hub.as(member, 'projects_QueryProjectDevices', { projectId: project.projectId });
  expect(listed.devices).toMatchObject([{ pendingCertificatesCount: 1 }]);
  expect(listed.devices[0]?.deviceId).not.toBe(deviceId);
});

describe('the name of a device', () => {
  const named = async (name?: string) => {
    await hub.as(member, 'devices_SetDeviceName', {
      deviceId: device.deviceId,
      ...(name === undefined ? {} : { name }),
    });
    return (await details(member)).name;
  };

  test('is trimmed, and removed by a blank or absent name', async () => {
    expect(await named('  Press 7 ')).toBe('Press 7');
    expect(emitted()).toEqual([
      {
        name: 'devices_NameChanged',
        data: { deviceId: device.deviceId, projectId: project.projectId, name: 'Press 7' },
      },
    ]);
    expect(await named('  ')).toBeUndefined();
    await named('x');
    expect(await named()).toBeUndefined();
  });

  test('has at most 200 characters, and is set by users only', async () => {
    const { deviceId } = device;
    expect(
      (await hub.refusal(member, 'devices_SetDeviceName', { deviceId, name: 'x'.repeat(201) })).kind,
    ).toBe('Invalid');
    expect((await hub.refusal(device.actor, 'devices_SetDeviceName', { deviceId, name: 'x' })).kind).toBe(
      'Forbidden',
    );
  });
});

describe('metadata', () => {
  test('is replaced as a whole, by the device too', async () => {
    const { deviceId } = device;
    await hub.as(device.actor, 'devices_SetDeviceMetadata', { deviceId, metadata: { a: 1, b: [null] } });
    await hub.as(member, 'devices_SetDeviceMetadata', { deviceId, metadata: { c: 'ü' } });
    expect((await details(member)).metadata).toEqual({ c: 'ü' });
    expect(emitted()[0]).toEqual({
      name: 'devices_MetadataChanged',
      data: { projectId: project.projectId, deviceId },
    });
  });

  test('has at most 64 KiB', async () => {
    const input = { deviceId: device.deviceId, metadata: { a: 'x'.repeat(65_536) } };
    expect((await hub.refusal(device.actor, 'devices_SetDeviceMetadata', input)).message).toContain('64 KiB');
  });
});

describe('certificates', () => {
  const statuses = ['Pending', 'Active', 'Rejected', 'Revoked'] as const;
  const add = async (status: (typeof statuses)[number]) =>
    (
      await hub.as(member, 'devices_AddDeviceCertificate', {
        deviceId: device.deviceId,
        fingerprint: newCertificate(),
        status,
      })
    ).certificateId;
  const data = () => ({ projectId: project.projectId, deviceId: device.deviceId });

  test('are pending by default, and added once', async () => {
    const input = { deviceId: device.deviceId, fingerprint: newCertificate() };
    const { certificateId } = await hub.as(member, 'devices_AddDeviceCertificate', input);
    expect(emitted()).toEqual([
      { name: 'devices_CertificateAdded', data: { ...data(), certificateId, status: 'Pending' } },
    ]);
    expect((await hub.refusal(member, 'devices_AddDeviceCertificate', input)).message).toContain('already');
  });

  const allowed = new Set(['Pending Active', 'Pending Rejected', 'Active Revoked']);
  const pairs = statuses.flatMap((from) => statuses.map((to) => [from, to] as const));

  test.each(pairs)('change from %s to %s only where allowed', async (from, to) => {
    const certificateId = await add(from);
    hub.emittedEvents.length = 0;
    const input = { certificateId, status: to };
    if (allowed.has(`${from} ${to}`)) {
      await hub.as(member, 'devices_SetDeviceCertificateStatus', input);
      expect(emitted()).toEqual([
        { name: 'devices_CertificateStatusChanged', data: { ...data(), certificateId, status: to } },
      ]);
    } else {
      expect(await hub.refusal(member, 'devices_SetDeviceCertificateStatus', input)).toEqual({
        kind: 'Invalid',
        message: `A certificate that is ${from.toLowerCase()} cannot become ${to.toLowerCase()}.`,
      });
      expect(emitted()).toEqual([]);
    }
  });

  test.each(statuses)('are deleted when %s', async (status) => {
    const certificateId = await add(status);
    await hub.as(member, 'devices_DeleteDeviceCertificate', { certificateId });
    expect(emitted().at(-1)).toEqual({
      name: 'devices_CertificateDeleted',
      data: { ...data(), certificateId },
    });
  });

  test('decide which devices are admitted', async () => {
    const { certificateId } = device;
    await hub.as(member, 'devices_SetDeviceCertificateStatus', { certificateId, status: 'Revoked' });
    expect((await hub.refused(AuthenticateDevice, device.shown)).message).toContain('revoked');
    expect(
      (
        await hub.refusal(device.actor, 'devices_SetDeviceCertificateStatus', {
          certificateId,
          status: 'Active',
        })
      ).kind,
    ).toBe('Forbidden');
  });
});
