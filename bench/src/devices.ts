import { readFileSync } from 'node:fs';
import { ids, randomSymbols, type Id } from '@corral/contract';
import { X509Certificate, createHash, randomBytes } from 'node:crypto';
import type { BenchUser } from './bench-hub.ts';

/** Credentials of simulated devices: one certificate for all, one fingerprint each. */
export interface BenchDevices {
  readonly token: string;
  readonly certificateHeader: string;
  readonly fingerprints: readonly string[];
  readonly deviceIds: readonly Id<'device'>[];
}

const certificatePem = readFileSync(new URL('./device-certificate.pem', import.meta.url), 'utf8');

/** Creates devices with an active certificate through the public API. */
export async function prepareDevices(user: BenchUser, count: number): Promise<BenchDevices> {
  const { executor, projectId } = user;
  const { token } = await executor.invoke('projects_CreateDeploymentToken', {
    projectId,
    name: 'bench',
    flags: { autoAccept: true },
  });
  const der = new X509Certificate(certificatePem).raw;
  const hex = createHash('sha256').update(der).digest('hex').toUpperCase();
  const fingerprint = (hex.match(/../g) ?? []).join(':');
  const fingerprints = Array.from({ length: count }, () => `d_sk_${randomSymbols(44, randomBytes)}` as const);
  const deviceIds: Id<'device'>[] = [];
  const queue = fingerprints.entries();
  const worker = async (): Promise<void> => {
    for (const [index, secret] of queue) {
      const { deviceId } = await executor.invoke('devices_CreateDevice', { projectId, fingerprint: secret });
      await executor.invoke('devices_AddDeviceCertificate', { deviceId, fingerprint, status: 'Active' });
      deviceIds[index] = ids.device.of(ids.device.raw(deviceId));
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  return { token, certificateHeader: encodeURIComponent(certificatePem), fingerprints, deviceIds };
}

/** The headers that all these devices connect with; each adds its fingerprint. */
export function deviceHeaders({ token, certificateHeader }: BenchDevices): Record<string, string> {
  return {
    authorization: `Bearer ${token}`,
    'x-deployment-token': token,
    'x-register-connection': 'true',
    'x-client-cert': certificateHeader,
  };
}
