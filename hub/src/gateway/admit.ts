import type { IncomingMessage } from 'node:http';
import type { Executor } from '../executor/executor.ts';
import { systemCaller } from '../executor/system-caller.ts';
import type { CertificateHeaderTrust } from '../config/certificate-header.ts';
import { AdmissionError } from './AdmissionError.ts';
import {
  requireCertificateFingerprint,
  type DeviceCredentials,
  type UserCredentials,
} from './credentials.ts';
import { credentialRefsOf } from './connection-registry.ts';
import { Link } from './link.ts';

/** The dependencies of admission. */
export interface AdmissionParts {
  readonly executor: Executor;
  readonly certificateTrust: CertificateHeaderTrust;
  /** The caller's address, as throttles count it. */
  readonly addressOf: (request: IncomingMessage) => string | undefined;
}

/** Authenticates a connection through the hub's own actions. Throws an AdmissionError or an ActionError when it is refused. */
export function admit(
  parts: AdmissionParts,
  credentials: DeviceCredentials | UserCredentials,
  request: IncomingMessage,
): Promise<Link> {
  const address = parts.addressOf(request);
  return credentials.kind === 'user'
    ? admitUser(parts, credentials, address)
    : admitDevice(
        parts,
        credentials,
        requireCertificateFingerprint(request, parts.certificateTrust),
        address,
      );
}

async function admitUser(
  parts: AdmissionParts,
  { token }: UserCredentials,
  address: string | undefined,
): Promise<Link> {
  const answer = await parts.executor.invoke(callerAt(address), 'users_AuthenticateWithUserToken', { token });
  if (answer.result === 'Invalid') throw new AdmissionError(401, 'Forbidden', 'The token is unknown.');
  return new Link(answer.actor, credentialRefsOf(answer.actor), false, address);
}

async function admitDevice(
  parts: AdmissionParts,
  credentials: DeviceCredentials,
  certificate: string,
  address: string | undefined,
): Promise<Link> {
  const { fingerprint, token } = credentials;
  const device = await parts.executor.invoke(callerAt(address), 'devices_AuthenticateDevice', {
    fingerprint,
    token,
    certificate,
  });
  const credentialRefs = {
    ...credentialRefsOf(device.actor),
    certificateId: device.certificateId,
    ...(device.projectId === undefined ? {} : { projectId: device.projectId }),
  };
  return new Link(device.actor, credentialRefs, credentials.isRegistered, address);
}

function callerAt(ip: string | undefined) {
  return { actor: systemCaller.actor, origin: ip === undefined ? {} : { ip } };
}
