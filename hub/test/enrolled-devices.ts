import { newDevice, type TestDevice } from './device-client.ts';
import type { GatewayScene } from './gateway-scene.ts';
import { newFingerprint } from './seed.ts';

/** Makes devices that share one certificate, which their owner accepts, since no token does. */
export async function enrol({ hub, owner, projectId }: GatewayScene, size: number): Promise<TestDevice[]> {
  const { certificate } = await newDevice();
  const devices = Array.from({ length: size }, () => ({ fingerprint: newFingerprint(), certificate }));
  for (const { fingerprint } of devices) {
    const { deviceId } = await hub.as(owner, 'devices_CreateDevice', { projectId, fingerprint });
    const accepted = { deviceId, fingerprint: certificate.fingerprint, status: 'Active' } as const;
    await hub.as(owner, 'devices_AddDeviceCertificate', accepted);
  }
  return devices;
}
