import type { Actor, Id } from '@corral/contract';
import { newDevice, type TestDevice } from './device-client.ts';
import type { DeviceDoor } from './device-door.ts';
import { system } from './fresh-executor.ts';
import { newFingerprint } from './seed.ts';

/** Makes devices known to the hub, with one certificate: it takes in a hundred newcomers in ten seconds, which are made to pass. */
export async function enrol(door: DeviceDoor, size: number): Promise<TestDevice[]> {
  const { certificate } = await newDevice();
  const devices = Array.from({ length: size }, () => ({ fingerprint: newFingerprint(), certificate }));
  const node: Actor = { actor: 'ClusterNode', kind: 'ClusterNode', nodeId: door.nodeId };
  for (const [index, { fingerprint }] of devices.entries()) {
    if (index % 100 === 99) {
      door.hub.advance(11);
      await door.hub.as(node, 'cluster_ReportClusterNodeHeartbeat', {});
    }
    await door.hub.as(system, 'devices_AuthenticateDevice', {
      token: door.token as Id<'deploymentToken'>,
      fingerprint,
      certificate: certificate.fingerprint,
    });
  }
  return devices;
}
