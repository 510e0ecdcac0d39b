import 'reflect-metadata';
import { createPrivateKey, createPublicKey, webcrypto, X509Certificate, type KeyObject } from 'node:crypto';
import { ActionError } from '@corral/contract';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  Pkcs10CertificateRequest,
  SubjectKeyIdentifierExtension,
  X509Certificate as ParsedCertificate,
  X509CertificateGenerator,
  type PublicKey,
} from '@peculiar/x509';
import { isDeviceKey } from './signed-by.ts';

/** An authority with its key, both in PEM. */
export interface IssuingAuthority {
  readonly certificatePem: string;
  readonly keyPem: string;
}

const ownAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const authorityDays = 3_653;

/** Makes an authority that is valid for ten years. */
export async function makeAuthority(commonName: string, now: Date): Promise<IssuingAuthority> {
  const keys = (await webcrypto.subtle.generateKey(ownAlgorithm, true, [
    'sign',
    'verify',
  ])) as webcrypto.CryptoKeyPair;
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [commonName] }],
    keys,
    signingAlgorithm: ownAlgorithm,
    notBefore: new Date(now.getTime() - hourMs),
    notAfter: new Date(now.getTime() + authorityDays * dayMs),
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return { certificatePem: certificate.toString('pem'), keyPem: PemConverter.encode(pkcs8, 'PRIVATE KEY') };
}

/** What is issued. */
export interface Issued {
  readonly publicKey: PublicKey;
  readonly commonName: string;
  readonly validForMs: number;
}

/** Issues a certificate for clients that ends no later than its authority, in PEM; its beginning lies an hour back, for clocks that are slow. */
export async function issueCertificate(
  authority: IssuingAuthority,
  { publicKey, commonName, validForMs }: Issued,
  now: Date,
): Promise<string> {
  const issuer = new ParsedCertificate(authority.certificatePem);
  const key = createPrivateKey(authority.keyPem);
  const signingAlgorithm = algorithmOf(key);
  const der = key.export({ type: 'pkcs8', format: 'der' });
  const keyId = issuer.getExtension(SubjectKeyIdentifierExtension)?.keyId;
  const endsAtMs = Math.min(now.getTime() + validForMs, issuer.notAfter.getTime());
  const certificate = await X509CertificateGenerator.create({
    subject: [{ CN: [commonName] }],
    issuer: issuer.subjectName,
    publicKey,
    signingKey: await webcrypto.subtle.importKey('pkcs8', der, signingAlgorithm, false, ['sign']),
    signingAlgorithm,
    notBefore: new Date(now.getTime() - hourMs),
    notAfter: new Date(endsAtMs),
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth]),
      ...(keyId === undefined ? [] : [new AuthorityKeyIdentifierExtension(keyId)]),
    ],
  });
  return `${certificate.toString('pem')}\n`;
}

/** Issues a certificate that shows whether an authority can, for its own key. */
export function issueTrial(authority: IssuingAuthority, now: Date): Promise<string> {
  const { publicKey } = new ParsedCertificate(authority.certificatePem);
  return issueCertificate(authority, { publicKey, commonName: 'trial', validForMs: hourMs }, now);
}

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject) {
  if (asymmetricKeyType === 'ed25519') return { name: 'Ed25519' };
  if (asymmetricKeyType === 'rsa') return { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  return asymmetricKeyDetails?.namedCurve === 'secp384r1'
    ? { name: 'ECDSA', namedCurve: 'P-384', hash: 'SHA-384' }
    : ownAlgorithm;
}

/** The key that a certificate request is for, once its signature is found to be that of the key. Throws an `ActionError` of kind Invalid. */
export async function requestedKey(requestPem: string): Promise<PublicKey> {
  const request = parsed(requestPem);
  if (!isDeviceKey(keyOf(request)))
    throw new ActionError('Invalid', 'The key of a certificate request is one of ECDSA P-256 or Ed25519.');
  if (!(await request.verify().catch(() => false)))
    throw new ActionError('Invalid', 'The signature of the certificate request is not that of its key.');
  return request.publicKey;
}

const unreadable = (): ActionError =>
  new ActionError('Invalid', 'The certificate request is no PKCS #10 request in PEM.');

const pemRequest =
  /^\s*-----BEGIN (?:NEW )?CERTIFICATE REQUEST-----([A-Za-z0-9+/=\s]+)-----END (?:NEW )?CERTIFICATE REQUEST-----\s*$/;
const derSequence = 0x30;

/** The parser is given DER alone: it takes exponential time over some texts, and takes bytes that are no sequence for a text. */
function parsed(requestPem: string): Pkcs10CertificateRequest {
  const der = Buffer.from(pemRequest.exec(requestPem)?.[1] ?? '', 'base64');
  if (der[0] !== derSequence) throw unreadable();
  try {
    return new Pkcs10CertificateRequest(der);
  } catch {
    throw unreadable();
  }
}

function keyOf({ publicKey }: Pkcs10CertificateRequest): KeyObject {
  try {
    return createPublicKey({ key: Buffer.from(publicKey.rawData), format: 'der', type: 'spki' });
  } catch {
    throw unreadable();
  }
}

/** The fingerprint and the end of a certificate in PEM. */
export function describedCertificate(pem: string): { readonly fingerprint: string; readonly endsAt: Date } {
  const { fingerprint256, validToDate } = new X509Certificate(pem);
  return { fingerprint: fingerprint256, endsAt: validToDate };
}
