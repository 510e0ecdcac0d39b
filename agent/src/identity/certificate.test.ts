import { createHash, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadCertificate, type CertificateFiles } from './certificate.ts';

let folder: string;
let files: CertificateFiles;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corral-agent-'));
  files = {
    certificate: join(folder, 'made/certificate.pem'),
    key: join(folder, 'made/key.pem'),
    areOwn: false,
  };
});

afterEach(() => rm(folder, { recursive: true }));

test('the first start creates a certificate and a key that only its owner can read', async () => {
  const made = await loadCertificate(files);
  const certificate = new X509Certificate(await readFile(files.certificate));
  expect(certificate.verify(certificate.publicKey)).toBe(true);
  expect(certificate.publicKey.asymmetricKeyDetails?.namedCurve).toBe('prime256v1');
  expect(made.fingerprint).toBe(certificate.fingerprint256);
  expect(made.fingerprint.replaceAll(':', '').toLowerCase()).toBe(
    createHash('sha256').update(certificate.raw).digest('hex'),
  );
  expect((await stat(files.key)).mode & 0o777).toBe(0o600);
  expect((await stat(join(folder, 'made'))).mode & 0o777).toBe(0o700);
});

test('later starts use the same certificate; each device has its own', async () => {
  const first = await loadCertificate(files);
  expect(await loadCertificate(files)).toEqual(first);
  const elsewhere = { certificate: join(folder, 'b.pem'), key: join(folder, 'b.key'), areOwn: false };
  expect((await loadCertificate(elsewhere)).fingerprint).not.toBe(first.fingerprint);
});

test('a certificate without its key, or with another key, is refused and not changed', async () => {
  await loadCertificate(files);
  const elsewhere = { certificate: join(folder, 'b.pem'), key: join(folder, 'b.key'), areOwn: false };
  await loadCertificate(elsewhere);
  await expect(loadCertificate({ ...files, key: elsewhere.key })).rejects.toThrow(
    'is not the key of the certificate',
  );
  await rm(elsewhere.key);
  await expect(loadCertificate(elsewhere)).rejects.toThrow(/belong together: .*b\.key is missing/);
  expect(await readdir(folder)).toEqual(['b.pem', 'made']);
});

test('empty files count as missing only if nobody but the agent makes them', async () => {
  await mkdir(join(folder, 'made'));
  await writeFile(files.key, '');
  await expect(loadCertificate(files)).rejects.toThrow(/belong together: .*certificate\.pem is missing/);
  const made = await loadCertificate({ ...files, areOwn: true });
  expect(await loadCertificate(files)).toEqual(made);
  expect((await stat(files.key)).mode & 0o777).toBe(0o600);
  await writeFile(files.key, '');
  for (const areOwn of [true, false])
    await expect(loadCertificate({ ...files, areOwn })).rejects.toThrow(/key/);
  expect(await readFile(files.certificate, 'utf8')).toBe(made.certificatePem);
});

test('a start that was interrupted after it had made the key makes the certificate for it', async () => {
  const own = { ...files, areOwn: true };
  const { keyPem } = await loadCertificate(own);
  await rm(own.certificate);
  const completed = await loadCertificate(own);
  expect(completed.keyPem).toBe(keyPem);
  expect(await loadCertificate(own)).toEqual(completed);
  const { privateKey } = generateKeyPairSync('ed25519');
  await writeFile(own.key, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  await rm(own.certificate);
  await expect(loadCertificate(own)).rejects.toThrow(/belong together: .*certificate\.pem is missing/);
});

test('the error names files with other content', async () => {
  await loadCertificate(files);
  await writeFile(files.key, 'nothing');
  await expect(loadCertificate(files)).rejects.toThrow(/ssl-key: .* is not a private key/);
  await writeFile(files.certificate, 'nothing');
  await expect(loadCertificate(files)).rejects.toThrow(/ssl-cert: .* is not a certificate/);
});
