import type { IncomingMessage } from 'node:http';
import { ids, type Id } from '@corral/contract';
import { bearerToken } from '../auth/bearer-token.ts';
import type { CertificateHeaderTrust } from '../config/certificate-header.ts';
import { AdmissionError } from './AdmissionError.ts';
import { certificateFingerprint, refuseUntrustedHeader } from './certificate-fingerprint.ts';

/** What a device authenticates with. */
export interface DeviceCredentials {
  readonly kind: 'device';
  readonly token: Id<'deploymentToken'>;
  readonly fingerprint: Id<'deviceFingerprint'>;
  /** Whether the connection makes the device connected and accepts channels; that of a one-shot command does not. */
  readonly isRegistered: boolean;
}

/** What a command line authenticates with. */
export interface UserCredentials {
  readonly kind: 'user';
  readonly token: Id<'userToken'>;
}

/** Reads the credentials of the upgrade, except the certificate, which is slow to parse. Throws an AdmissionError with a sentence. */
export function readCredentials(
  request: IncomingMessage,
  certificateTrust: CertificateHeaderTrust,
): DeviceCredentials | UserCredentials {
  refuseUntrustedHeader(request, certificateTrust);
  const bearer = authorizationToken(request);
  const userToken = headerOf(request, 'x-user-token');
  const deploymentToken = headerOf(request, 'x-deployment-token');
  if (userToken !== undefined && deploymentToken !== undefined) {
    throw malformed('The headers X-User-Token and X-Deployment-Token exclude each other.');
  }
  const token = deploymentToken ?? userToken ?? bearer;
  if (token === undefined) throw malformed('The header Authorization is missing.');
  if (bearer !== undefined && bearer !== token)
    throw malformed('The header Authorization names another token.');
  if (ids.userToken.schema.safeParse(token).success) return { kind: 'user', token: token as Id<'userToken'> };
  if (!ids.deploymentToken.schema.safeParse(token).success)
    throw new AdmissionError(401, 'Forbidden', 'The token is unknown.');
  return deviceCredentials(request, token as Id<'deploymentToken'>);
}

function deviceCredentials(request: IncomingMessage, token: Id<'deploymentToken'>): DeviceCredentials {
  const fingerprint = headerOf(request, 'x-device-fingerprint');
  if (fingerprint === undefined) throw malformed('The header X-Device-Fingerprint is missing.');
  if (!ids.deviceFingerprint.schema.safeParse(fingerprint).success) {
    throw malformed('The header X-Device-Fingerprint must be d_sk_ and 44 symbols.');
  }
  const register = headerOf(request, 'x-register-connection');
  if (register !== 'true' && register !== 'false') {
    throw malformed('The header X-Register-Connection must be true or false.');
  }
  return {
    kind: 'device',
    token,
    fingerprint: fingerprint as Id<'deviceFingerprint'>,
    isRegistered: register === 'true',
  };
}

/** Reads the fingerprint of the certificate that a device presents. Throws as `readCredentials`. */
export function requireCertificateFingerprint(
  request: IncomingMessage,
  certificateTrust: CertificateHeaderTrust,
): string {
  const certificate = certificateFingerprint(request, certificateTrust);
  if (certificate === undefined) throw malformed('A client certificate is missing.');
  return certificate;
}

function authorizationToken(request: IncomingMessage): string | undefined {
  const header = headerOf(request, 'authorization');
  if (header === undefined) return undefined;
  const token = bearerToken(header);
  if (token === undefined) throw malformed('The header Authorization must be Bearer and a token.');
  return token;
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const values = request.headersDistinct[name];
  if (values !== undefined && values.length > 1)
    throw malformed(`The header ${name} may be there only once.`);
  return values?.[0];
}

function malformed(sentence: string): AdmissionError {
  return new AdmissionError(400, 'Invalid', sentence);
}
