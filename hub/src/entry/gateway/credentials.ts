import { createHash, X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import { type Id, ids } from '@corral/contract';
import { bearerToken } from '../../auth/bearer-token.ts';
import type { CertificateHeaderTrust } from '../../config/certificate-header.ts';
import { AdmissionError, UntrustedHeaderError } from './refuse-upgrade.ts';

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

/** A certificate that a device presents. */
export interface PresentedCertificate {
  /** Its SHA-256: upper-case hex pairs joined by colons. */
  readonly certificate: string;
  readonly der: Buffer;
}

/** Reads the certificate that a device presents. Throws as `readCredentials`. */
export function mustHaveCertificate(
  request: IncomingMessage,
  certificateTrust: CertificateHeaderTrust,
): PresentedCertificate {
  const der = presentedDer(request, certificateTrust);
  if (der === undefined) throw malformed('A client certificate is missing.');
  return { certificate: fingerprintOf(der), der };
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

/** Throws an UntrustedHeaderError if a request carries `X-Client-Cert` from an address where the header is not trusted. */
function refuseUntrustedHeader(request: IncomingMessage, trust: CertificateHeaderTrust): void {
  if (request.headers['x-client-cert'] === undefined) return;
  if (trust(request.socket.remoteAddress) === 'never') throw new UntrustedHeaderError();
}

/**
 * The certificate that a device presents, in its handshake or a trusted header, as DER; undefined without one. Throws an AdmissionError for a header that is malformed or
 * not trusted.
 */
function presentedDer(request: IncomingMessage, trust: CertificateHeaderTrust): Buffer | undefined {
  refuseUntrustedHeader(request, trust);
  const header = certificateHeader(request);
  if (header !== undefined) return leafInHeader(header);
  if (trust(request.socket.remoteAddress) === 'only') return undefined;
  const handshake = request.socket instanceof TLSSocket ? request.socket.getPeerX509Certificate() : undefined;
  return handshake?.raw;
}

/** Some proxies send an empty header when there is no certificate. */
function certificateHeader(request: IncomingMessage): string | undefined {
  const values = request.headersDistinct['x-client-cert'] ?? [];
  if (values.length > 1)
    throw new AdmissionError(400, 'Invalid', 'The header X-Client-Cert may be there only once.');
  return values[0] === '' ? undefined : values[0];
}

function fingerprintOf(der: Buffer): string {
  const hex = createHash('sha256').update(der).digest('hex').toUpperCase();
  return (hex.match(/../g) ?? []).join(':');
}

const maxHeaderBytes = 8_192;
const maxCertificates = 8;
const blockBoundary = /(?<=-----END CERTIFICATE-----)(?:\r?\n)+(?=-----BEGIN CERTIFICATE-----)/;
const pemBlock =
  /^-----BEGIN CERTIFICATE-----\r?\n((?:[A-Za-z0-9+/]+={0,2}\r?\n)+)-----END CERTIFICATE-----(?:\r?\n)*$/;

/**
 * The DER of the first certificate in the header `X-Client-Cert`: percent-encoded PEM, the device's own before the chain that may follow.
 * Throws an AdmissionError unless the whole header is well formed, every certificate of the chain included.
 */
export function leafInHeader(header: string): Buffer {
  if (header.length > maxHeaderBytes) throw malformedHeader();
  const blocks = decodeOnce(header).split(blockBoundary);
  if (blocks.length > maxCertificates) throw malformedHeader();
  const [leaf] = blocks.map(derOf);
  if (leaf === undefined) throw malformedHeader();
  return leaf;
}

function decodeOnce(header: string): string {
  try {
    return decodeURIComponent(header);
  } catch {
    throw malformedHeader();
  }
}

/** The parsed certificate, serialised again, must equal what was sent, so that nothing else is hashed. */
function derOf(block: string): Buffer {
  const base64 = pemBlock.exec(block)?.[1]?.replace(/[\r\n]/g, '');
  if (base64 === undefined) throw malformedHeader();
  const sent = Buffer.from(base64, 'base64');
  const { raw } = parse(sent);
  if (!raw.equals(sent) || sent.toString('base64') !== base64) throw malformedHeader();
  return raw;
}

function parse(der: Buffer): X509Certificate {
  try {
    return new X509Certificate(der);
  } catch {
    throw malformedHeader();
  }
}

function malformedHeader(): AdmissionError {
  return new AdmissionError(
    400,
    'Invalid',
    'The header X-Client-Cert must hold a percent-encoded PEM certificate, and behind it nothing but its chain.',
  );
}
