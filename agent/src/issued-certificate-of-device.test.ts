import 'reflect-metadata';
import { webcrypto, X509Certificate } from 'node:crypto';
import { Pkcs10CertificateRequest, X509CertificateGenerator } from '@peculiar/x509';
import { expect, test, vi } from 'vitest';
import { agentScene } from '../test/agent-scene.ts';
import { deviceId, ok } from '../test/hub-peer.ts';
import { ownCertificateFiles } from './config.ts';
import { CertificateRotation } from './identity/CertificateRotation.ts';
import { loadIdentity } from './identity/identity.ts';

const scene = agentScene();

const shown = () =>
  scene.hub.upgrades.map(
    (headers) => new X509Certificate(decodeURIComponent(String(headers['x-client-cert']))),
  );

/** Issues what a device asks for. */
async function issue(request: string): Promise<string> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = (await webcrypto.subtle.generateKey(algorithm, true, [
    'sign',
    'verify',
  ])) as webcrypto.CryptoKeyPair;
  const asked = new Pkcs10CertificateRequest(request);
  expect(await asked.verify()).toBe(true);
  const certificate = await X509CertificateGenerator.create({
    subject: `CN=${deviceId}`,
    issuer: 'CN=Fleet',
    publicKey: asked.publicKey,
    signingKey: keys.privateKey,
    signingAlgorithm: algorithm,
  });
  return certificate.toString('pem');
}

test('run has a certificate issued where the hub says that it is due, and comes back with it', async () => {
  let asked = 0;
  scene.hub.answers['devices_GetDeviceProperty'] = ok({ result: 'NotFound' });
  scene.hub.answers['devices_GetCertificateRenewal'] = async () => ok({ isDue: (asked += 1) === 1 });
  scene.hub.answers['devices_IssueCertificate'] = async ({ request }) =>
    ok({ pem: await issue(String(request)), endsAt: '2100-01-01T00:00:00Z' });
  const agent = scene.run();
  await vi.waitFor(() => expect(shown()).toHaveLength(2), { timeout: 15_000 });
  await agent.says(/the certificate of this device is replaced/);
  expect(shown().map(({ subject }) => subject)).toEqual(['CN=corral device', `CN=${deviceId}`]);
  await vi.waitFor(() => expect(asked).toBe(2));
  await agent.stop();
});

test('a hub that issues no certificates is asked once a connection, without a word in the log', async () => {
  let windows = 0;
  scene.hub.answers['devices_GetCertificateRenewal'] = {
    result: 'Error',
    error: { kind: 'Invalid', message: 'There is no such action.' },
  } as never;
  scene.hub.answers['devices_GetDeviceProperty'] = async () => {
    windows += 1;
    return ok({ result: 'NotFound' });
  };
  const agent = scene.run();
  await vi.waitFor(() => expect(windows).toBe(1), { timeout: 15_000 });
  expect(agent.stderr).not.toMatch(/no such action|not replaced/);
  await agent.stop();
});

test('an agent that is busy when its old certificate is revoked comes with the new one that was issued', async () => {
  const identity = await loadIdentity({
    fingerprintScript: undefined,
    ...ownCertificateFiles(scene.state),
    stateDir: scene.state,
  });
  const log = { info: () => undefined, warn: () => undefined };
  const rotation = await CertificateRotation.of(identity, { isBusy: () => true, log });
  const issued = Promise.withResolvers<string>();
  let close = (): void => undefined;
  const link = {
    deviceId,
    end: undefined as unknown,
    closed: new Promise<void>((resolve) => (close = resolve)),
    close: () => undefined,
    executor: {
      async invoke(name: string, { request }: { request: string }) {
        if (name === 'devices_GetCertificateRenewal') return { isDue: true };
        const pem = await issue(request);
        issued.resolve(pem);
        return { pem };
      },
    },
  };
  rotation.serve(link as unknown as Parameters<CertificateRotation['serve']>[0]);
  const next = new X509Certificate(await issued.promise).fingerprint256;
  await vi.waitFor(async () => expect(await identity.ownCertificates!.next()).toBeDefined());
  link.end = {};
  close();
  rotation.refused(undefined);
  expect((await rotation.identity()).certificate.fingerprint).toBe(identity.certificate.fingerprint);
  rotation.refused('CertificateRevoked');
  expect((await rotation.identity()).certificate.fingerprint).toBe(next);
  expect(rotation.fingerprint).toBe(next);
});
