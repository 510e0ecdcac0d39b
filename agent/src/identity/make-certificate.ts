import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { PemConverter, X509CertificateGenerator } from '@peculiar/x509';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** Creates a key pair and a self-signed certificate, both in PEM; only the key distinguishes devices. */
export async function makeCertificate(): Promise<{ certificatePem: string; keyPem: string }> {
  const keys = (await webcrypto.subtle.generateKey(algorithm, true, [
    'sign',
    'verify',
  ])) as webcrypto.CryptoKeyPair;
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=corral device',
    keys,
    signingAlgorithm: algorithm,
    notBefore: new Date('2020-01-01T00:00:00Z'),
    notAfter: new Date('9999-12-31T23:59:59Z'),
  });
  const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return {
    certificatePem: `${certificate.toString('pem')}\n`,
    keyPem: `${PemConverter.encode(pkcs8, 'PRIVATE KEY')}\n`,
  };
}
