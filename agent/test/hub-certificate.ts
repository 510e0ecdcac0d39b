import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { PemConverter, SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509';

/** A certificate and its key in PEM. */
export interface ServerCertificate {
  readonly cert: string;
  readonly key: string;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

async function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  const usages = ['sign', 'verify'] as const;
  return (await webcrypto.subtle.generateKey(algorithm, true, usages)) as webcrypto.CryptoKeyPair;
}

const nameOf = (type: 'ip' | 'dns', value: string) => [
  new SubjectAlternativeNameExtension([{ type, value }]),
];

async function keyPemOf({ privateKey }: webcrypto.CryptoKeyPair): Promise<string> {
  return PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', privateKey), 'PRIVATE KEY');
}

/** A certificate of a hub on the loopback that signs itself. */
export async function hubCertificate(): Promise<ServerCertificate> {
  const keys = await newKeys();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=hub',
    keys,
    signingAlgorithm: algorithm,
    extensions: nameOf('ip', '127.0.0.1'),
  });
  return { cert: certificate.toString('pem'), key: await keyPemOf(keys) };
}

/** The certificate of a hub with another name, signed by an authority that nobody knows. */
export async function foreignCertificate(): Promise<ServerCertificate> {
  const [keys, authority] = [await newKeys(), await newKeys()];
  const certificate = await X509CertificateGenerator.create({
    subject: 'CN=hub',
    issuer: 'CN=authority',
    publicKey: keys.publicKey,
    signingKey: authority.privateKey,
    signingAlgorithm: algorithm,
    extensions: nameOf('dns', 'hub.example'),
  });
  return { cert: certificate.toString('pem'), key: await keyPemOf(keys) };
}
