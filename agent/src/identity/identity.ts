import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Id } from '@corral/contract';
import { AgentError } from '../AgentError.ts';
import type { IdentityConfig } from '../config.ts';
import { loadCertificate, readIfThere, writeNew, type DeviceCertificate } from './certificate.ts';
import { deviceFingerprint } from './fingerprint.ts';

/** The identity of this device towards its hub. */
export interface DeviceIdentity {
  readonly fingerprint: Id<'deviceFingerprint'>;
  readonly certificate: DeviceCertificate;
}

/** Loads the identity of this device; creates and stores what is missing on the first start. */
export async function loadIdentity(config: IdentityConfig): Promise<DeviceIdentity> {
  const certificate = await loadCertificate({ certificate: config.certificateFile, key: config.keyFile });
  return { fingerprint: deviceFingerprint(await fingerprintData(config)), certificate };
}

function fingerprintData(config: IdentityConfig): Promise<Buffer> {
  return config.fingerprintScript === undefined
    ? ownSecret(join(config.stateDir, 'fingerprint'))
    : outputOf(config.fingerprintScript);
}

/** Without a script, the fingerprint is derived from a stored random secret. */
async function ownSecret(path: string): Promise<Buffer> {
  const kept = await readIfThere(path);
  if (kept !== undefined) return Buffer.from(kept);
  const secret = `${randomBytes(32).toString('hex')}\n`;
  await writeNew(path, secret, 0o600);
  return Buffer.from(secret);
}

async function outputOf(script: string): Promise<Buffer> {
  try {
    const { stdout } = await promisify(execFile)(script, [], {
      encoding: 'buffer',
      timeout: 30_000,
      maxBuffer: 1_048_576,
    });
    return stdout;
  } catch (cause) {
    throw new AgentError(
      `fingerprint-script: ${script} failed: ${(cause as Error).message.split('\n')[0]}.`,
      { cause },
    );
  }
}
