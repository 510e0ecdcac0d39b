import type { Actor, Id } from '@corral/contract';
import { newDevice, type TestDevice } from './device-client.ts';
import type { GatewayScene } from './gateway-scene.ts';
import { system } from './fresh-executor.ts';
import { newFingerprint } from './seed.ts';

/** Enrols devices that share one certificate. A project admits 100 new devices in 10 seconds, so the clock is advanced after each hundred. */
export async function enrol(scene: GatewayScene, size: number): Promise<TestDevice[]> {
  const { certificate } = await newDevice();
  const devices = Array.from({ length: size }, () => ({ fingerprint: newFingerprint(), certificate }));
  const node: Actor = { actor: 'ClusterNode', kind: 'ClusterNode', nodeId: scene.nodeId };
  for (const [index, { fingerprint }] of devices.entries()) {
    if (index % 100 === 99) {
      scene.hub.advance(11);
      await scene.hub.as(node, 'cluster_ReportClusterNodeHeartbeat', {});
    }
    await scene.hub.as(system, 'devices_AuthenticateDevice', {
      token: scene.token as Id<'deploymentToken'>,
      fingerprint,
      certificate: certificate.fingerprint,
    });
  }
  return devices;
}
