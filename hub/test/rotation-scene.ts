import { createPrivateKey, sign } from 'node:crypto';
import { announcedProperty, type Id, rotationProperty } from '@corral/contract';
import { beforeEach } from 'vitest';
import { AuthenticateDevice } from '../src/domains/devices/internal/AuthenticateDevice.ts';
import { MoveRotations } from '../src/domains/devices/internal/MoveRotations.ts';
import { RegisterDeviceConnection } from '../src/domains/devices/internal/RegisterDeviceConnection.ts';
import { goOnWithChanges } from '../src/domains/fleet/jobs/go-on-with-changes.ts';
import { type DeviceCertificate, deviceCertificate } from './device-certificate.ts';
import { deviceScene } from './device-scene.ts';
import { seedNode, type Somebody } from './seed.ts';

const log = {
  warn(fields: unknown, message: string) {
    throw new Error(message, { cause: fields });
  },
};

/** A device, a certificate that it may have next, and the steps of a rotation. */
export function rotationScene() {
  const scene = deviceScene();
  const { hub, project, member, device } = scene;
  const next = {} as DeviceCertificate;
  beforeEach(async () => void Object.assign(next, await deviceCertificate()));

  /** Applies changes of many devices to their end. */
  async function goOn() {
    while (await goOnWithChanges({ executor: hub.executor, log }));
  }

  async function open(
    more: { graceSecs?: number; windowSecs?: number } = {},
    actor: Somebody = project.owner,
  ) {
    const { deviceId } = device;
    const started = await hub.as(actor, 'devices_StartCertificateRotation', { deviceId, ...more });
    await goOn();
    return started;
  }

  const rotations = async () => {
    const { deviceId } = device;
    return (await hub.as(member, 'devices_QueryCertificateRotations', { deviceId })).rotations;
  };
  const offered = async () => {
    const found = await hub.as(device.actor, 'devices_GetDeviceProperty', {
      deviceId: device.deviceId,
      name: rotationProperty,
    });
    return found.result === 'Found'
      ? (found as unknown as { value: { nonce: string; until: string } }).value
      : undefined;
  };

  function signatureOf(
    { keyPem }: Pick<DeviceCertificate, 'keyPem'>,
    nonce: string,
    deviceId: Id<'device'> = device.deviceId,
  ) {
    const key = createPrivateKey(keyPem);
    return sign('sha256', Buffer.from(`${nonce}.${deviceId}`), key).toString('base64');
  }

  async function announce(certificate = next, signature?: string) {
    const nonce = (await offered())?.nonce ?? 'none';
    return hub.as(device.actor, 'devices_SetDeviceProperty', {
      deviceId: device.deviceId,
      name: announcedProperty,
      value: { pem: certificate.certificatePem, signature: signature ?? signatureOf(certificate, nonce) },
    });
  }

  /** Connects with a certificate; rejected where it is not active. */
  async function come(certificate: string) {
    const { token, fingerprint } = device.shown;
    const admitted = await hub.run(AuthenticateDevice, { token, fingerprint, certificate });
    const { deviceId, certificateId, tokenId } = admitted;
    const nodeId = await seedNode(hub);
    const registered = { deviceId, certificateId, tokenId, nodeId };
    const { connectionId } = await hub.run(RegisterDeviceConnection, registered);
    hub.advance(1);
    await hub.run(MoveRotations);
    return connectionId;
  }

  const statuses = async () => {
    const { certificates } = await hub.as(member, 'devices_GetDeviceDetails', { deviceId: device.deviceId });
    return Object.fromEntries(certificates.map(({ fingerprint, status }) => [fingerprint, status]));
  };
  return {
    ...scene,
    next,
    goOn,
    open,
    rotations,
    rotation: async () => (await rotations())[0],
    offered,
    signatureOf,
    announce,
    come,
    statuses,
  };
}
