import 'reflect-metadata';
import { createPrivateKey, createPublicKey, randomBytes, webcrypto } from 'node:crypto';
import {
  BasicConstraintsExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';

/** What a node authenticates with to other nodes, in PEM, and the authority that it accepts certificates of. */
export interface NodeCertificate {
  /** A name under which only this process can be reached; the certificate is for it alone. */
  readonly name: string;
  readonly certificatePem: string;
  readonly keyPem: string;
  readonly authorityPem: string;
}

const authorityAlgorithm = { name: 'Ed25519' };
const nodeAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
/** RFC 8410: what precedes the 32 bytes of an Ed25519 key in PKCS #8. */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
// A certificate lives as long as its process, and a clock that is wrong must not keep nodes apart.
const dates = { notBefore: new Date('2020-01-01T00:00:00Z'), notAfter: new Date('9999-12-31T23:59:59Z') };

/**
 * Issues a certificate for this process, signed by the authority of the cluster: an Ed25519 key that every node derives from the same 32
 * bytes, which the database holds encrypted under `CORRAL_SECRET_KEY`.
 */
export async function issueNodeCertificate(authoritySeed: Buffer): Promise<NodeCertificate> {
  const authority = await authorityKeys(authoritySeed);
  const authorityCertificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name: 'CN=corral cluster',
    keys: authority,
    signingAlgorithm: authorityAlgorithm,
    extensions: [new BasicConstraintsExtension(true, 0, true)],
    ...dates,
  });
  const keys = (await webcrypto.subtle.generateKey(nodeAlgorithm, true, [
    'sign',
    'verify',
  ])) as webcrypto.CryptoKeyPair;
  const name = `${randomBytes(16).toString('hex')}.node.corral.internal`;
  const certificate = await X509CertificateGenerator.create({
    subject: `CN=${name}`,
    issuer: authorityCertificate.subject,
    publicKey: keys.publicKey,
    signingKey: authority.privateKey,
    signingAlgorithm: authorityAlgorithm,
    extensions: [new SubjectAlternativeNameExtension([{ type: 'dns', value: name }])],
    ...dates,
  });
  const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return {
    name,
    certificatePem: certificate.toString('pem'),
    keyPem: PemConverter.encode(pkcs8, 'PRIVATE KEY'),
    authorityPem: authorityCertificate.toString('pem'),
  };
}

async function authorityKeys(seed: Buffer): Promise<webcrypto.CryptoKeyPair> {
  const pkcs8 = Buffer.concat([pkcs8Prefix, seed]);
  const spki = createPublicKey(createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })).export({
    format: 'der',
    type: 'spki',
  });
  const { subtle } = webcrypto;
  return {
    privateKey: await subtle.importKey('pkcs8', pkcs8, authorityAlgorithm, false, ['sign']),
    publicKey: await subtle.importKey('spki', spki, authorityAlgorithm, true, ['verify']),
  };
}
