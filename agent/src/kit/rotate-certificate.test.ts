import { spawn } from 'node:child_process';
import { createPrivateKey, verify, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Shell, shells } from '../../test/shells.ts';
import { makeCertificate } from '../identity/make-certificate.ts';

const source = readFileSync(join(import.meta.dirname, '../../kit/rotate-certificate.sh'), 'utf8');
const nonce = '-_n0nce';
const deviceId = `d_${'1'.repeat(22)}`;

let folder: string;
let old: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'corral-kit-'));
  mkdirSync(join(folder, 'bin'));
  mkdirSync(join(folder, 'agent'));
  const made = await makeCertificate();
  writeFileSync(at('agent/cert.pem'), made.certificatePem);
  writeFileSync(at('agent/key.pem'), made.keyPem);
  old = new X509Certificate(made.certificatePem).fingerprint256;
  // An agent that is asked and told; the hub takes the window back when it restarts with what was announced.
  program(
    'agent',
    `case "$3 $4" in
  'get corral.certificate.rotation') cat ${folder}/window 2>/dev/null || echo '{"result":"NotFound"}' ;;
  'set corral.certificate.next') printf '%s' "$5" >${folder}/announced ;;
esac`,
  );
  program(
    'restart',
    `echo >>${folder}/restarts; cmp -s ${folder}/refuses /dev/null || rm -f ${folder}/window`,
  );
  writeFileSync(
    at('rotation'),
    `agent=${at('bin/agent')} certificate=${at('agent/cert.pem')} key=${at('agent/key.pem')} restart=${at('bin/restart')}\n`,
  );
  open();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string) => join(folder, name);
const open = () =>
  writeFileSync(
    at('window'),
    JSON.stringify({ result: 'Found', value: { nonce, until: 'later', deviceId } }, null, 2),
  );
const program = (name: string, script: string) =>
  writeFileSync(at(`bin/${name}`), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
const announced = () =>
  JSON.parse(readFileSync(at('announced'), 'utf8')) as { pem: string; signature: string };

/** The certificate with which the agent would connect now; its key belongs to it. */
function inUse(): string {
  const certificate = new X509Certificate(readFileSync(at('agent/cert.pem')));
  expect(certificate.checkPrivateKey(createPrivateKey(readFileSync(at('agent/key.pem'))))).toBe(true);
  return certificate.fingerprint256;
}

describe.each(Object.keys(shells))('in %s', (name) => {
  let shell: Shell;
  beforeEach(() => {
    shell = shells[name]!(folder);
  });

  function run(text = source, args: string[] = [], patience = '600') {
    writeFileSync(at('rotate.sh'), text);
    const [executable = '', ...before] = shell.command;
    const child = spawn(executable, [...before, at('rotate.sh'), ...args], {
      env: {
        // OpenSSL is on every device that rotates.
        PATH: `${at('bin')}:${shell.path}:/usr/bin`,
        CORRAL_KIT_ROTATION: at('rotation'),
        CORRAL_KIT_PATIENCE: patience,
      },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (piece: Buffer) => (output += piece.toString()));
    child.stdin.end();
    return once(child, 'close').then(([code]) => ({ code: code as number | null, output }));
  }

  test('a new certificate is announced with its signature and put to use, and nothing of the old one stays', async () => {
    expect(await run()).toEqual({ code: 0, output: '' });
    const { pem, signature } = announced();
    const certificate = new X509Certificate(pem);
    expect(inUse()).toBe(certificate.fingerprint256);
    const signed = Buffer.from(`${nonce}.${deviceId}`);
    expect(verify('sha256', signed, certificate.publicKey, Buffer.from(signature, 'base64'))).toBe(true);
    expect(
      readdirSync(at('agent/corral-certificates'))
        .filter((file) => !file.startsWith('.'))
        .toSorted(),
    ).toEqual([nonce, 'current']);
    expect(await run()).toEqual({ code: 0, output: '' });
    expect(readFileSync(at('restarts'), 'utf8')).toBe('\n');
  });

  test('as a command it answers first, and goes on when the answer is told', async () => {
    expect(await run(source, ['-'])).toEqual({
      code: 0,
      output: '{"type":"Output","data":{"announced":true}}\n',
    });
    expect(existsSync(at('restarts'))).toBe(false);
    await vi.waitFor(() => expect(existsSync(at('agent/corral-certificates/before'))).toBe(false), {
      timeout: 10_000,
    });
    expect(inUse()).toBe(new X509Certificate(announced().pem).fingerprint256);
  });

  test('the old certificate is put back where the new one does not connect', async () => {
    writeFileSync(at('refuses'), '');
    const { code, output } = await run(source, [], '0');
    expect({ code, output }).toEqual({
      code: 1,
      output: expect.stringContaining('the old one is used again'),
    });
    expect(inUse()).toBe(old);
  });

  test('without a window nothing is touched', async () => {
    rmSync(at('window'));
    expect(await run()).toEqual({ code: 0, output: '' });
    expect(await run(source, ['-'])).toMatchObject({
      code: 1,
      output: expect.stringContaining('opened no window'),
    });
    expect(readdirSync(at('agent')).toSorted()).toEqual(['cert.pem', 'corral-certificates', 'key.pem']);
    expect(inUse()).toBe(old);
  });

  test('killed before any of its lines, the device has the old certificate or the announced one, and the next run completes', async () => {
    const lines = source.split('\n');
    const first = lines.findIndex((line) => line.startsWith('folder='));
    for (let line = first; line < lines.length - 1; line += 1) {
      if (lines[line] === '}') continue;
      const broken = [...lines.slice(0, line), 'kill -9 $$', ...lines.slice(line)].join('\n');
      await run(broken);
      const now = inUse();
      const told = existsSync(at('announced')) ? new X509Certificate(announced().pem).fingerprint256 : old;
      expect([old, told], `line ${line + 1}: ${lines[line]}`).toContain(now);
      const done = await run();
      expect(done, `after line ${line + 1}: ${lines[line]}`).toEqual({ code: 0, output: '' });
      old = inUse();
      expect(old).toBe(new X509Certificate(announced().pem).fingerprint256);
      // For the next line the hub opens a window again.
      rmSync(at('agent/corral-certificates'), { recursive: true });
      const made = await makeCertificate();
      for (const file of ['cert.pem', 'key.pem']) rmSync(at(`agent/${file}`));
      writeFileSync(at('agent/cert.pem'), made.certificatePem);
      writeFileSync(at('agent/key.pem'), made.keyPem);
      old = new X509Certificate(made.certificatePem).fingerprint256;
      rmSync(at('announced'));
      open();
    }
  });
});
