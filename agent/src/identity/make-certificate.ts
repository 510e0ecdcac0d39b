import 'reflect-metadata';
import { createPublicKey, webcrypto, type KeyObject } from 'node:crypto';
import { PemConverter, Pkcs10CertificateRequestGenerator, X509CertificateGenerator } from '@peculiar/x509';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** Creates a self-signed certificate, and a key pair unless a private key (P-256) is given; both are returned in PEM. Only the key distinguishes devices. */
export async function makeCertificate(
  privateKey?: KeyObject,
): Promise<{ certificatePem: string; keyPem: string }> {
  const keys = privateKey === undefined ? await newKeys() : await pairOf(privateKey);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=corral device',
    keys,
    signingAlgorithm: algorithm,
    notBefore: new Date('2020-01-01T00:00:00Z'),
    notAfter: new Date('9999-12-31T23:59:59Z'),
  });
  return { certificatePem: `${certificate.toString('pem')}\n`, keyPem: await pemOf(keys) };
}

/** Creates a key pair and a certificate request for it; the request and the private key are returned in PEM. */
export async function makeRequest(): Promise<{ request: string; keyPem: string }> {
  const keys = await newKeys();
  const request = await Pkcs10CertificateRequestGenerator.create({
    name: 'CN=corral device',
    keys,
    signingAlgorithm: algorithm,
  });
  return { request: request.toString('pem'), keyPem: await pemOf(keys) };
}

async function pemOf({ privateKey }: webcrypto.CryptoKeyPair): Promise<string> {
  const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', privateKey);
  return `${PemConverter.encode(pkcs8, 'PRIVATE KEY')}\n`;
}

const newKeys = async (): Promise<webcrypto.CryptoKeyPair> =>
  (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;

async function pairOf(privateKey: KeyObject): Promise<webcrypto.CryptoKeyPair> {
  const { subtle } = webcrypto;
  const pkcs8 = privateKey.export({ type: 'pkcs8', format: 'der' });
  const spki = createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
  return {
    privateKey: await subtle.importKey('pkcs8', pkcs8, algorithm, true, ['sign']),
    publicKey: await subtle.importKey('spki', spki, algorithm, true, ['verify']),
  };
}
