import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { hubCertificate, type HubCertificate } from '../../../test/device-certificate.ts';
import { httpHub, system, type HttpHub } from '../../../test/http-hub.ts';
import { uploadToOwnHub } from './upload-to-own-hub.ts';
import { seedRepository } from './seed-repository.ts';

/** A hub that terminates TLS with a certificate of an authority that nobody trusts. */
async function tlsHub({ certPem, keyPem }: HubCertificate): Promise<HttpHub> {
  const folder = await mkdtemp(join(tmpdir(), 'corral-demo-tls-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  await Promise.all([writeFile(cert, certPem), writeFile(key, keyPem, { mode: 0o600 })]);
  return httpHub({ env: { CORRAL_TLS_CERT: cert, CORRAL_TLS_KEY: key } });
}

test('all files of the demo are uploaded, also over TLS, where only the own certificate is trusted', async () => {
  const [own, other] = await Promise.all([hubCertificate(), hubCertificate()]);
  await using hub = await tlsHub(own);
  const { userId: owner } = await hub.user('admin@example.org', { isAdmin: true });
  const url = hub.url.replace('http:', 'https:');
  const bytes = Buffer.from('demo');
  await expect(
    uploadToOwnHub(`${url}/r/assets/x`, bytes, { url, certificate: other.certPem }),
  ).rejects.toMatchObject({ code: 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY' });
  await expect(uploadToOwnHub(`${url}/r/assets/x`, bytes, { url, certificate: own.certPem })).rejects.toThrow(
    /^The demo could not upload a file: .*There is no such file here/,
  );
  const { projectId } = await hub.executor.invoke(system, 'projects_CreateProject', { name: 'Demo', owner });
  await seedRepository(hub.executor, { owner, projectId, hub: { url, certificate: own.certPem } });
  const assets = await hub.database.db.selectFrom('assets').select(['status', 'storage_status']).execute();
  expect(assets.length).toBeGreaterThan(0);
  expect(new Set(assets.map((asset) => `${asset.status} ${asset.storage_status}`))).toEqual(
    new Set(['Available Verified']),
  );
});
