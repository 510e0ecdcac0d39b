import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ownCertificateFiles } from '../config.ts';
import { deviceFingerprint } from './fingerprint.ts';
import { loadIdentity } from './identity.ts';

let stateDir: string;
beforeEach(async () => void (stateDir = await mkdtemp(join(tmpdir(), 'corral-agent-'))));
afterEach(() => rm(stateDir, { recursive: true }));

const configOf = (fingerprintScript?: string) => ({
  fingerprintScript,
  ...ownCertificateFiles(stateDir),
  stateDir,
});
const load = (fingerprintScript?: string) => loadIdentity(configOf(fingerprintScript));
const ofNothing = deviceFingerprint(Buffer.alloc(0));

/** Loads the identity in a process that can make files and write nothing into them, as on a disk that is full. */
async function loadOnFullDisk(): Promise<string> {
  const module = new URL('identity.ts', import.meta.url).href;
  const script = `import { loadIdentity } from '${module}'; await loadIdentity(${JSON.stringify(configOf())});`;
  const node = [process.execPath, '--input-type=module', '--eval', script];
  return promisify(execFile)('sh', ['-c', 'ulimit -f 0; exec "$@"', 'sh', ...node]).then(
    () => 'loaded',
    ({ stderr }: { stderr: string }) => stderr,
  );
}

test('a full disk at the first start leaves nothing, and the next start makes the identity', async () => {
  expect(await loadOnFullDisk()).toContain(`The file ${join(stateDir, 'fingerprint')} cannot be written: `);
  expect(await readdir(stateDir)).toEqual([]);
  const made = await load();
  expect(await load()).toEqual(made);
  expect((await readdir(stateDir)).toSorted()).toEqual(['certificate.pem', 'fingerprint', 'key.pem']);
  expect(await loadOnFullDisk()).toBe('loaded');
});

test('the empty files that a first start of an earlier release left are made anew', async () => {
  for (const name of ['key.pem', 'fingerprint']) await writeFile(join(stateDir, name), '');
  const made = await load();
  expect(made.fingerprint).not.toBe(ofNothing);
  expect(await load()).toEqual(made);
});

test('a stored secret gives the same fingerprint as before, and a short one is refused and kept', async () => {
  const path = join(stateDir, 'fingerprint');
  await writeFile(path, `${'ab'.repeat(32)}\n`);
  const { fingerprint } = await load();
  expect(fingerprint).toBe(deviceFingerprint(Buffer.from(`${'ab'.repeat(32)}\n`)));
  await writeFile(path, 'abcdef\n');
  await expect(load()).rejects.toThrow(
    `The file ${path} is damaged: it has fewer than 8 bytes. Restore it from a copy; or, to enrol this machine as a new device, remove it with the certificate and the key.`,
  );
  expect(await readFile(path, 'utf8')).toBe('abcdef\n');
});

test('a lost fingerprint beside the certificate that was made with it is an error, which says what to do', async () => {
  const { fingerprint, certificate } = await load();
  const path = (name: string) => join(stateDir, name);
  const secret = await readFile(path('fingerprint'));
  await rm(path('fingerprint'));
  await expect(load()).rejects.toThrow(
    `The file ${path('fingerprint')} is missing, but not the certificate ${path('certificate.pem')}: without it the hub would take this machine for another device. Restore it from a copy; or, to enrol this machine as a new device, remove ${path('certificate.pem')} and ${path('key.pem')} too.`,
  );
  expect((await readdir(stateDir)).toSorted()).toEqual(['certificate.pem', 'key.pem']);
  await writeFile(path('fingerprint'), secret);
  expect(await load()).toMatchObject({ fingerprint, certificate });
  for (const name of ['fingerprint', 'certificate.pem', 'key.pem']) await rm(path(name));
  expect((await load()).fingerprint).not.toBe(fingerprint);
});

test('a certificate of the operator is there before the first start', async () => {
  await load();
  const given = { certificateFile: join(stateDir, 'given.pem'), keyFile: join(stateDir, 'given.key') };
  await rename(join(stateDir, 'certificate.pem'), given.certificateFile);
  await rename(join(stateDir, 'key.pem'), given.keyFile);
  await rm(join(stateDir, 'fingerprint'));
  expect((await loadIdentity({ ...configOf(), ...given })).fingerprint).toMatch(/^d_sk_/);
});

test.each(['', 'echo', 'echo " "'])('the script "%s" prints nothing', async (command) => {
  const script = join(stateDir, 'fingerprint.sh');
  await writeFile(script, `#!/bin/sh\n${command}\n`, { mode: 0o755 });
  await expect(load(script)).rejects.toThrow(
    `fingerprint-script: ${script} printed nothing: it must print data that only this device has, such as a serial number together with a secret.`,
  );
});

test('anything that a fingerprint script prints makes an identity', async () => {
  const script = join(stateDir, 'fingerprint.sh');
  await writeFile(script, '#!/bin/sh\necho 12\n', { mode: 0o755 });
  expect((await load(script)).fingerprint).toBe(deviceFingerprint(Buffer.from('12\n')));
});
