import 'reflect-metadata';
import { createHash, webcrypto } from 'node:crypto';
import {
  BasicConstraintsExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
  type X509Certificate,
} from '@peculiar/x509';

/** A self-signed certificate like those that devices make. */
export interface DeviceCertificate {
  readonly certificatePem: string;
  readonly keyPem: string;
  /** The value of the header `X-Client-Cert`. */
  readonly header: string;
  /** SHA-256 over DER, upper-case hex pairs joined by colons. */
  readonly fingerprint: string;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(algorithm, true, [
    'sign',
    'verify',
  ]) as Promise<webcrypto.CryptoKeyPair>;
}

async function keyPemOf(keys: webcrypto.CryptoKeyPair): Promise<string> {
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  return `-----BEGIN PRIVATE KEY-----\n${pkcs8}\n-----END PRIVATE KEY-----\n`;
}

/** Makes a self-signed P-256 certificate as the existing agent does: no extensions, one subject for all, valid 1975–4096. */
export async function deviceCertificate(): Promise<DeviceCertificate> {
  const keys = await newKeys();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=device',
    keys,
    signingAlgorithm: algorithm,
    notBefore: new Date('1975-01-01'),
    notAfter: new Date('4096-01-01'),
  });
  const certificatePem = certificate.toString('pem');
  const hex = createHash('sha256').update(Buffer.from(certificate.rawData)).digest('hex').toUpperCase();
  return {
    certificatePem,
    keyPem: await keyPemOf(keys),
    header: encodeURIComponent(certificatePem),
    fingerprint: (hex.match(/../g) ?? []).join(':'),
  };
}

/** The server certificate of a hub that terminates TLS: a leaf for localhost and the authority that signed it. */
export interface HubCertificate {
  readonly caPem: string;
  readonly certPem: string;
  readonly keyPem: string;
}

/** Makes an authority and a leaf; clients refuse a server certificate that is itself an authority. */
export async function hubCertificate(): Promise<HubCertificate> {
  const dates = { notBefore: new Date('2020-01-01'), notAfter: new Date('2100-01-01') };
  const [caKeys, keys] = await Promise.all([newKeys(), newKeys()]);
  const ca = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=authority',
    keys: caKeys,
    signingAlgorithm: algorithm,
    extensions: [new BasicConstraintsExtension(true)],
    ...dates,
  });
  const leaf: X509Certificate = await X509CertificateGenerator.create({
    subject: 'CN=localhost',
    issuer: ca.subject,
    publicKey: keys.publicKey,
    signingKey: caKeys.privateKey,
    signingAlgorithm: algorithm,
    extensions: [
      new SubjectAlternativeNameExtension([
        { type: 'dns', value: 'localhost' },
        { type: 'ip', value: '127.0.0.1' },
      ]),
    ],
    ...dates,
  });
  return { caPem: ca.toString('pem'), certPem: leaf.toString('pem'), keyPem: await keyPemOf(keys) };
}
