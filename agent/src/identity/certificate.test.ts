import { createHash, X509Certificate } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadCertificate, type CertificateFiles } from './certificate.ts';

let folder: string;
let files: CertificateFiles;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corral-agent-'));
  files = { certificate: join(folder, 'made/certificate.pem'), key: join(folder, 'made/key.pem') };
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
  const elsewhere = { certificate: join(folder, 'b.pem'), key: join(folder, 'b.key') };
  expect((await loadCertificate(elsewhere)).fingerprint).not.toBe(first.fingerprint);
});

test('a certificate without its key, or with another key, is refused and not changed', async () => {
  await loadCertificate(files);
  const elsewhere = { certificate: join(folder, 'b.pem'), key: join(folder, 'b.key') };
  await loadCertificate(elsewhere);
  await expect(loadCertificate({ ...files, key: elsewhere.key })).rejects.toThrow(
    'is not the key of the certificate',
  );
  await rm(elsewhere.key);
  await expect(loadCertificate(elsewhere)).rejects.toThrow(/belong together: .*b\.key is missing/);
  expect(await readdir(folder)).toEqual(['b.pem', 'made']);
});

test('the error names files with other content', async () => {
  await loadCertificate(files);
  await writeFile(files.key, 'nothing');
  await expect(loadCertificate(files)).rejects.toThrow(/ssl-key: .* is not a private key/);
  await writeFile(files.certificate, 'nothing');
  await expect(loadCertificate(files)).rejects.toThrow(/ssl-cert: .* is not a certificate/);
});
