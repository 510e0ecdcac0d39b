import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const dayMs = 24 * 60 * 60 * 1000;

// Clients refuse server certificates with a longer validity.
const validityDays = 365;

/** The certificates and the key of a development hub, in PEM. */
export interface DevelopmentCertificates {
  authority: string;
  certificate: string;
  key: string;
}

/**
 * Creates a certificate authority, and a server certificate signed by it for localhost, the hosts of devices below it, 127.0.0.1 and ::1. Both are valid from an hour before
 * `now` for a year. The authority's key is discarded, so that it can sign nothing else.
 */
export async function makeDevelopmentCertificates(now: Date): Promise<DevelopmentCertificates> {
  const period = {
    notBefore: new Date(now.getTime() - 60 * 60 * 1000),
    notAfter: new Date(now.getTime() + validityDays * dayMs),
  };
  const authorityKeys = await makeKeys();
  const authority = await makeAuthority(authorityKeys, period);
  const keys = await makeKeys();
  const leaf = await X509CertificateGenerator.create({
    ...period,
    subject: 'CN=localhost',
    issuer: authority.subject,
    publicKey: keys.publicKey,
    signingKey: authorityKeys.privateKey,
    signingAlgorithm: algorithm,
    extensions: await leafExtensions(keys.publicKey, authorityKeys.publicKey),
  });
  return {
    authority: pem(authority.toString('pem')),
    certificate: pem(leaf.toString('pem')),
    key: await privateKeyPem(keys),
  };
}

type Keys = webcrypto.CryptoKeyPair;
type PublicKey = webcrypto.CryptoKey;

const makeKeys = (): Promise<Keys> =>
  webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']) as Promise<Keys>;

async function makeAuthority(keys: Keys, period: { notBefore: Date; notAfter: Date }) {
  return X509CertificateGenerator.createSelfSigned({
    ...period,
    name: 'CN=Corral development authority',
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
}

async function leafExtensions(own: PublicKey, issuer: PublicKey) {
  return [
    new BasicConstraintsExtension(false, undefined, true),
    new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
    new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
    new SubjectAlternativeNameExtension([
      { type: 'dns', value: 'localhost' },
      // The hosts of the web pages of devices.
      { type: 'dns', value: '*.proxy.localhost' },
      { type: 'ip', value: '127.0.0.1' },
      { type: 'ip', value: '::1' },
    ]),
    await SubjectKeyIdentifierExtension.create(own),
    await AuthorityKeyIdentifierExtension.create(issuer),
  ];
}

const pem = (text: string): string => `${text.trim()}\n`;

async function privateKeyPem(keys: Keys): Promise<string> {
  return pem(PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY'));
}
