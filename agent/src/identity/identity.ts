import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { currentUser } from '@corral/client/node';
import type { Id } from '@corral/contract';
import { AgentError } from '../AgentError.ts';
import { ownCertificateFiles, type IdentityConfig } from '../config.ts';
import { loadCertificate, type DeviceCertificate } from './certificate.ts';
import { OwnCertificates } from './own-certificates.ts';
import { deviceFingerprint } from './fingerprint.ts';
import { readIfThere, writeNew } from './own-file.ts';

/** The identity of this device towards its hub. */
export interface DeviceIdentity {
  readonly fingerprint: Id<'deviceFingerprint'>;
  readonly certificate: DeviceCertificate;
  /** Undefined where the owner of this device made the certificate, who also replaces it. */
  readonly ownCertificates?: OwnCertificates | undefined;
}

/** Loads the identity of this device; creates and stores what is missing on the first start. */
export async function loadIdentity(config: IdentityConfig): Promise<DeviceIdentity> {
  const { certificateFile, keyFile } = config;
  const own = ownCertificateFiles(config.stateDir);
  const areOwn = certificateFile === own.certificateFile && keyFile === own.keyFile;
  // The fingerprint first: where a first start was interrupted, a certificate is never without it.
  const fingerprint = deviceFingerprint(await fingerprintData(config, areOwn));
  const ownCertificates = areOwn ? new OwnCertificates(certificateFile) : undefined;
  await ownCertificates?.finishSwap();
  const certificate = await loadCertificate({ certificate: certificateFile, key: keyFile, areOwn });
  return { fingerprint, certificate, ownCertificates };
}

function fingerprintData(config: IdentityConfig, isCertificateOwn: boolean): Promise<Buffer> {
  return config.fingerprintScript === undefined
    ? ownSecret(join(config.stateDir, 'fingerprint'), isCertificateOwn ? config : undefined)
    : outputOf(config.fingerprintScript);
}

/** Every secret that an agent has stored is longer. */
const minSecretBytes = 8;

/** Without a script, the fingerprint is derived from a stored random secret. Throws an AgentError if only that is lost, and not the certificate that the agent made with it. */
async function ownSecret(path: string, made: IdentityConfig | undefined): Promise<Buffer> {
  const kept = await readIfThere(path);
  // An empty one is what a first start left that was interrupted; everybody can calculate what it gives.
  if (kept !== undefined && kept !== '') {
    if (kept.length < minSecretBytes) throw damagedSecret(path);
    return Buffer.from(kept);
  }
  if (kept === undefined && made !== undefined && (await readIfThere(made.certificateFile)))
    throw lostSecret(path, made);
  const secret = `${randomBytes(32).toString('hex')}\n`;
  await writeNew(path, secret, 0o600);
  return Buffer.from(secret);
}

const lostSecret = (path: string, { certificateFile, keyFile }: IdentityConfig): AgentError =>
  new AgentError(
    `The file ${path} is missing, but not the certificate ${certificateFile}: without it the hub would take this machine for another device. Restore it from a copy; or, to enrol this machine as a new device, remove ${certificateFile} and ${keyFile} too.`,
  );

const damagedSecret = (path: string): AgentError =>
  new AgentError(
    `The file ${path} is damaged: it has fewer than ${minSecretBytes} bytes. Restore it from a copy; or, to enrol this machine as a new device, remove it with the certificate and the key.`,
  );

const scriptTimeoutMs = 30_000;

async function outputOf(script: string): Promise<Buffer> {
  const data = await run(script);
  // What anybody can calculate from nothing would be the identity of every device whose script prints nothing.
  if (data.toString('latin1').trim() !== '') return data;
  throw new AgentError(
    `fingerprint-script: ${script} printed nothing: it must print data that only this device has, such as a serial number together with a secret.`,
  );
}

async function run(script: string): Promise<Buffer> {
  try {
    const { stdout } = await promisify(execFile)(script, [], {
      encoding: 'buffer',
      timeout: scriptTimeoutMs,
      maxBuffer: 1_048_576,
    });
    return stdout;
  } catch (cause) {
    throw new AgentError(`fingerprint-script: ${script} ${scriptProblem(cause as ScriptError, script)}.`, {
      cause,
    });
  }
}

/** A program that could not be started has an error code of the system; one that failed has its exit code or a signal. */
type ScriptError = Error & { readonly code?: string | number | null; readonly killed?: boolean };

function scriptProblem({ code, killed, message }: ScriptError, script: string): string {
  if (code === 'EACCES')
    return `cannot be run by the user ${currentUser()}: make it executable with chmod +x ${script}, and let that user enter its folder`;
  if (code === 'ENOENT')
    return existsSync(script)
      ? 'cannot be run: the program that its first line names is not there'
      : 'is not there: give the path of a program, absolute or relative to the configuration file';
  if (code === 'ENOEXEC') return 'cannot be run: its first line must name a program, such as #!/bin/sh';
  if (killed === true) return `did not end within ${scriptTimeoutMs / 1_000} s`;
  if (typeof code === 'number') return `failed with exit code ${code}; run it by hand to see why`;
  return `failed: ${message.split('\n')[0]}`;
}
