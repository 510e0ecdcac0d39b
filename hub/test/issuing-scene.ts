import 'reflect-metadata';
import { webcrypto, X509Certificate } from 'node:crypto';
import { Pkcs10CertificateRequestGenerator, X509Certificate as ParsedCertificate } from '@peculiar/x509';
import type { Id } from '@corral/contract';
import { sql } from 'kysely';
import { issueCertificate, type IssuingAuthority } from '../src/domains/certificates/policy/issuing.ts';
import { createServer } from '../src/entry/http/node-server.ts';
import { deviceCertificate, hubCertificate } from './device-certificate.ts';
import {
  connectLink,
  deviceHeaders,
  isOpen,
  newDevice,
  type OpenLink,
  type Refusal,
} from './device-client.ts';
import { deviceIdOf, gatewayScene, type GatewayScene } from './gateway-scene.ts';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** A certificate and its key, in PEM. */
export interface Pair {
  readonly certificatePem: string;
  readonly keyPem: string;
}

/** A device that comes over TLS, with the certificate that it holds. */
export interface Comer {
  readonly fingerprint: Id<'deviceFingerprint'>;
  readonly pair: Pair;
}

/** A certificate request in PEM with its key. */
export async function certificateRequest(): Promise<{ request: string; keyPem: string }> {
  const keys = (await webcrypto.subtle.generateKey(algorithm, true, [
    'sign',
    'verify',
  ])) as webcrypto.CryptoKeyPair;
  const request = await Pkcs10CertificateRequestGenerator.create({
    name: 'CN=x',
    keys,
    signingAlgorithm: algorithm,
  });
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  const keyPem = `-----BEGIN PRIVATE KEY-----\n${pkcs8}\n-----END PRIVATE KEY-----\n`;
  return { request: request.toString('pem'), keyPem };
}

/** A certificate that an authority elsewhere issues for a key of its own. */
export async function issuedElsewhere(
  authority: IssuingAuthority,
  commonName: string,
  now: Date,
): Promise<Pair> {
  const own = await deviceCertificate();
  const { publicKey } = new ParsedCertificate(own.certificatePem);
  const certificatePem = await issueCertificate(
    authority,
    { publicKey, commonName, validForMs: 3_600_000 },
    now,
  );
  return { certificatePem, keyPem: own.keyPem };
}

/** The fingerprint of a certificate in PEM. */
export const fingerprintOf = ({ certificatePem }: Pair): string =>
  new X509Certificate(certificatePem).fingerprint256;

/** A gateway that devices reach over TLS, with what devices and owners do about certificates. */
export type IssuingScene = GatewayScene & Awaited<ReturnType<typeof partsOf>>;

/** Starts it. */
export async function issuingScene(): Promise<IssuingScene> {
  const { certPem: cert, keyPem: key } = await hubCertificate();
  const scene = await gatewayScene({
    certificateTrust: () => 'never',
    createServer: () => createServer({ cert, key }, (_request, response) => response.end()),
  });
  return Object.assign(scene, await partsOf(scene));
}

async function partsOf({ hub, url, token, owner, projectId, details }: GatewayScene) {
  // The clock moves by months.
  await sql`update cluster_nodes set lease_until = '9000-01-01'`.execute(hub.database.db);

  const come = ({ fingerprint, pair }: Comer, withToken = token): Promise<OpenLink | Refusal> => {
    const device = { fingerprint, certificate: { ...pair, header: '', fingerprint: '' } };
    const { 'x-client-cert': _none, ...headers } = deviceHeaders(device, withToken);
    return connectLink(url, headers, undefined, '', { cert: pair.certificatePem, key: pair.keyPem });
  };
  const open = async (comer: Comer, withToken?: string): Promise<OpenLink> => {
    const link = await come(comer, withToken);
    if (!isOpen(link)) throw new Error(link.body.message);
    return link;
  };
  return {
    come,
    open,
    /** Why the device is refused. */
    async refused(comer: Comer, withToken?: string): Promise<string> {
      const link = await come(comer, withToken);
      if (!isOpen(link)) return /pending|revoked|ended/.exec(link.body.message)?.[0] ?? link.body.message;
      link.connection.close('');
      return 'admitted';
    },
    async newComer(): Promise<Comer> {
      const { fingerprint, certificate } = await newDevice();
      return { fingerprint, pair: certificate };
    },
    /** A new authority of the project. */
    createAuthority: (given: Partial<Pair> = {}) =>
      hub.as(owner, 'projects_CreateCertificateAuthority', { projectId, name: 'x', ...given }),
    demand: (isDemanded: boolean, more: { foreignDays?: number; validForDays?: number } = {}) =>
      hub.as(owner, 'projects_SetCertificatePolicy', { projectId, isDemanded, validForDays: 30, ...more }),
    policy: () => hub.as(owner, 'projects_GetCertificatePolicy', { projectId }),
    /** The certificates of a device by fingerprint. */
    async certificatesOf(deviceId: Id<'device'>) {
      const { certificates } = await details(deviceId);
      return new Map(certificates.map((certificate) => [certificate.fingerprint, certificate]));
    },
    /** What an agent does over its link: asks whether a renewal is due, and has a certificate issued. */
    async isDue(link: OpenLink): Promise<boolean> {
      const deviceId = await deviceIdOf(link);
      const rpc = await link.rpc();
      return ((await rpc.invoke('devices_GetCertificateRenewal', { deviceId })) as { isDue: boolean }).isDue;
    },
    async issue(link: OpenLink): Promise<Pair> {
      const deviceId = await deviceIdOf(link);
      const { request, keyPem } = await certificateRequest();
      const rpc = await link.rpc();
      const { pem } = (await rpc.invoke('devices_IssueCertificate', { deviceId, request })) as {
        pem: string;
      };
      return { certificatePem: pem, keyPem };
    },
  };
}
