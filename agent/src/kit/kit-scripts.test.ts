import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { shells, type Shell } from '../../test/shells.ts';
import { readCommands } from '../device-commands/read-commands.ts';
import { readManifest } from '../device-commands/offered-command.ts';

const kit = join(import.meta.dirname, '../../kit');
const content: Record<string, string> = { 'press.img': 'an image', 'notes.txt': 'what is new\n' };

let folder: string;
let server: Server;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'corral-kit-'));
  server = createServer((request, response) => {
    const text = content[(request.url ?? '').slice(1)];
    response.writeHead(text === undefined ? 404 : 200).end(text);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // An agent that writes down its calls, knows the property `wanted` if there is a file of that name, and pulls no files, as others than Corral's.
  program(
    'agent',
    `echo "$@" >>${folder}/calls
case "$1 $2 $3" in
  'device properties get') cat ${folder}/wanted ;;
  'repositories issue-url '*) echo "${url}/\${3##*/}" ;;
  'repositories pull '*) exit 2 ;;
esac`,
  );
  program('hook', `echo "$@" >>${folder}/hooked; exit "$(cat ${folder}/code 2>/dev/null || echo 0)"`);
});

afterEach(() => {
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
});

function program(name: string, script: string): void {
  mkdirSync(join(folder, 'bin'), { recursive: true });
  writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

const asset = (filename: string) => ({
  filename,
  assetId: `pkg_a_${'1'.repeat(22)}`,
  size: content[filename]?.length,
  digest: `sha256_${createHash('sha256')
    .update(content[filename] ?? '')
    .digest('hex')}`,
});

const wanted = {
  tag: 'v1.2.0',
  assets: [asset('press.img'), asset('notes.txt')],
  package: 'press',
  version: '1.2.0',
  versionId: `pkg_v_${'1'.repeat(22)}`,
  repository: 'acme',
};

const lines = (name: string): string[] => {
  const file = join(folder, name);
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
};
const set = () => lines('calls').filter((call) => call.startsWith('device properties set'));
const installed =
  'device properties set corral.installed {"repository":"acme","package":"press","version":"1.2.0"}';
const versionFolder = () => join(folder, 'root/acme/press/1.2.0');

test('the manifests of the kit are ones that the agent takes, and name its scripts', () => {
  const warnings: string[] = [];
  const commands = readCommands(kit, (warning) => warnings.push(warning));
  expect(warnings).toEqual([]);
  expect([...commands.keys()].sort()).toEqual([
    'collect-logs',
    'install',
    'read-file',
    'reboot',
    'restart-service',
    'rotate-certificate',
    'write-file',
  ]);
  for (const { handler } of commands.values()) {
    const [, name = ''] = /^\/usr\/local\/lib\/corral-kit\/(.*)$/.exec(handler[0]) ?? [];
    expect(existsSync(join(kit, name))).toBe(true);
  }
  expect(readManifest(join(kit, 'install.toml')).timeoutSecs).toBe(3_600);
  expect(lines('../nothing')).toEqual([]);
  expect(readFileSync(join(kit, 'install.sh'), 'utf8').split('\n').length).toBeLessThanOrEqual(50);
});

describe.each(Object.keys(shells))('in %s', (name) => {
  let shell: Shell;

  beforeEach(() => {
    const make = shells[name];
    if (make === undefined) throw new Error(`no shell ${name}`);
    shell = make(folder);
  });

  function run(script: string, input: unknown, ...args: string[]) {
    const [executable = '', ...before] = shell.command;
    const child = spawn(executable, [...before, join(kit, script), ...args], {
      env: {
        PATH: `${join(folder, 'bin')}:${shell.path}`,
        CORRAL_AGENT: join(folder, 'bin/agent'),
        CORRAL_KIT_ROOT: join(folder, 'root'),
        CORRAL_KIT_HOOK: join(folder, 'bin/hook'),
        CORRAL_KIT_LOG: join(folder, 'log'),
        CORRAL_KIT_REBOOT: join(folder, 'bin/restart'),
        CORRAL_KIT_SERVICES: join(folder, 'services'),
        CORRAL_KIT_INIT: join(folder, 'bin'),
      },
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (piece: Buffer) => (stdout += piece.toString()));
    child.stderr.on('data', (piece: Buffer) => (stderr += piece.toString()));
    child.stdin.on('error', () => undefined);
    child.stdin.end(typeof input === 'string' ? input : JSON.stringify(input));
    return once(child, 'close').then(([code]) => ({ code: code as number, stdout, stderr }));
  }

  test('a wanted version is fetched, verified, handed to the hook and reported, once for each time that it is written', async () => {
    writeFileSync(join(folder, 'wanted'), JSON.stringify({ value: wanted, version: 3 }, undefined, 2));
    mkdirSync(join(folder, 'root/acme/press/1.1.0'), { recursive: true });
    expect(await run('install.sh', '')).toMatchObject({ code: 0, stderr: '' });
    expect(readFileSync(join(versionFolder(), 'press.img'), 'utf8')).toBe('an image');
    expect(readFileSync(join(versionFolder(), 'notes.txt'), 'utf8')).toBe('what is new\n');
    expect(lines('hooked')).toEqual([`acme press 1.2.0 ${versionFolder()}`]);
    expect(set()).toEqual([installed]);
    expect(readdirSync(join(folder, 'root/acme/press'))).toEqual(['1.2.0']);
    expect(await run('install.sh', '')).toMatchObject({ code: 0, stdout: '' });
    expect(set()).toEqual([installed]);
    writeFileSync(join(folder, 'wanted'), JSON.stringify({ value: wanted, version: 4 }));
    await run('install.sh', '');
    expect(set()).toEqual([installed, installed]);
    expect(lines('calls').filter((call) => call.includes('issue-url'))).toHaveLength(2);
  });

  test('without a wanted version nothing is done', async () => {
    expect(await run('install.sh', '')).toEqual({ code: 0, stdout: '', stderr: expect.any(String) });
    expect(set()).toEqual([]);
  });

  test('the command install does the same with its input, also again', async () => {
    const output = '{"type":"Output","data":{"version":"1.2.0","restarts":false}}\n';
    expect(await run('install.sh', wanted, '-')).toEqual({ code: 0, stdout: output, stderr: '' });
    expect(await run('install.sh', wanted, '-')).toEqual({ code: 0, stdout: output, stderr: '' });
    expect(set()).toEqual([installed, installed]);
  });

  test.each(['command', 'property'])(
    'a version that was published again with other files is fetched again, by the recipe %s',
    async (recipe) => {
      const install = async (assets: unknown[]) => {
        const value = { ...wanted, assets };
        writeFileSync(join(folder, 'wanted'), JSON.stringify({ value }));
        const [input, ...args] = recipe === 'command' ? [value, '-'] : [''];
        expect(await run('install.sh', input, ...args)).toMatchObject({ code: 0, stderr: '' });
        return readdirSync(versionFolder()).filter((name) => !name.startsWith('.'));
      };
      const fetched = () => lines('calls').filter((call) => call.includes('issue-url')).length;
      expect(await install([])).toEqual([]);
      expect(await install([asset('press.img')])).toEqual(['press.img']);
      content['press.img'] = 'an other image';
      try {
        expect(await install([asset('press.img')])).toEqual(['press.img']);
        expect(readFileSync(join(versionFolder(), 'press.img'), 'utf8')).toBe('an other image');
        expect(await install([asset('press.img'), asset('notes.txt')])).toEqual(['notes.txt', 'press.img']);
        expect(fetched()).toBe(4);
        expect(await install([asset('press.img'), asset('notes.txt')])).toHaveLength(2);
        expect(fetched()).toBe(4);
        expect(readdirSync(join(folder, 'root')).filter((name) => !name.startsWith('.'))).toEqual(['acme']);
      } finally {
        content['press.img'] = 'an image';
      }
    },
  );

  // BusyBox has its own wget.
  if (name === 'dash')
    test('without curl and wget the message names both', async () => {
      const bare = join(folder, 'bare');
      mkdirSync(bare);
      for (const name of ['cat', 'cut', 'mkdir', 'rm', 'sed', 'tr', 'wc']) {
        const found = shell.path.split(':').find((place) => existsSync(join(place, name)));
        if (found !== undefined) symlinkSync(join(found, name), join(bare, name));
      }
      shell = { ...shell, path: bare };
      const { code, stderr } = await run('install.sh', wanted, '-');
      expect([code, stderr]).toEqual([1, expect.stringContaining('it needs curl or wget\n')]);
    });

  test.each([
    ['bytes', { size: 7 }, 'press.img does not have 7 bytes'],
    ['digest', { digest: `sha256_${'0'.repeat(64)}` }, 'press.img does not have the digest'],
    ['address', { filename: 'gone.img' }, 'gone.img cannot be fetched'],
  ])(
    'with other %s no file is in its place, the hook does not run, and nothing is reported',
    async (_what, wrong, reason) => {
      const assets = [{ ...asset('press.img'), ...wrong }, asset('notes.txt')];
      const { code, stderr } = await run('install.sh', { ...wanted, assets }, '-');
      expect(code).toBe(1);
      expect(stderr).toContain(reason);
      expect(existsSync(versionFolder())).toBe(false);
      expect(lines('hooked')).toEqual([]);
      expect(set()).toEqual([]);
      // What was left is no obstacle.
      expect((await run('install.sh', wanted, '-')).code).toBe(0);
      expect(readdirSync(versionFolder()).sort()).toEqual(['.files', 'notes.txt', 'press.img']);
    },
  );

  test.each([
    ['version', '../../etc'],
    ['version', '$(touch x)'],
    ['package', '`id`'],
    ['repository', "a';reboot;'"],
    ['tag', '-o x'],
    ['version', 'a"b'],
  ])('a %s of %j is refused, and nothing is run', async (field, value) => {
    const { code, stderr } = await run('install.sh', { ...wanted, [field]: value }, '-');
    expect(code).toBe(1);
    expect(stderr).toBe('install: repository, package, version and tag must be plain names\n');
    expect(lines('calls')).toEqual([]);
  });

  test.each(['../press.img', 'a b', '-rf', '$(reboot)'])('a file named %j is refused', async (filename) => {
    const { code, stderr } = await run(
      'install.sh',
      { ...wanted, assets: [{ ...asset('press.img'), filename }] },
      '-',
    );
    expect(code).toBe(1);
    expect(stderr).toContain('a file has no plain name, size or digest');
    expect(lines('calls')).toEqual([]);
  });

  test('a hook that fails is an error, and one that restarts the device leaves the report to the new version', async () => {
    writeFileSync(join(folder, 'code'), '9');
    const failed = await run('install.sh', wanted, '-');
    expect(failed).toMatchObject({ code: 1, stdout: '' });
    expect(failed.stderr).toContain('ended with exit code 9');
    writeFileSync(join(folder, 'code'), '100');
    expect(await run('install.sh', wanted, '-')).toMatchObject({
      code: 0,
      stdout: '{"type":"Output","data":{"version":"1.2.0","restarts":true}}\n',
    });
    expect(set()).toEqual([]);
  });

  test('reboot answers first, and restarts afterwards without the output of the command', async () => {
    program('restart', `touch ${folder}/restarted`);
    const answered = await run('reboot.sh', { delaySecs: 1 });
    expect(answered).toEqual({ code: 0, stdout: '{"type":"Output","data":{"reboots":true}}\n', stderr: '' });
    expect(existsSync(join(folder, 'restarted'))).toBe(false);
    await vi.waitFor(() => expect(existsSync(join(folder, 'restarted'))).toBe(true));
  });

  test('collect-logs returns the last lines as JSON, whatever is in them', async () => {
    program(
      'journalctl',
      `echo "$@" >>${folder}/journal; printf 'one\\na "quoted" \\\\ line\\twith \\033[1mcolour\\n'`,
    );
    const { stdout } = await run('collect-logs.sh', { lines: 2, unit: 'press.service' });
    const { data } = JSON.parse(stdout) as { data: { lines: string[] } };
    expect(data.lines).toEqual(['one', 'a "quoted" \\ line with [1mcolour']);
    expect(lines('journal')).toEqual(['--no-pager -q -n 2 -u press.service']);
    expect(await run('collect-logs.sh', { unit: '-x $(id)' })).toMatchObject({
      code: 1,
      stderr: 'the unit must be a plain name\n',
    });
  });

  test('collect-logs fails when the log cannot be read, and has no lines where there are none', async () => {
    program('journalctl', 'echo not allowed >&2; exit 1');
    expect(await run('collect-logs.sh', {})).toEqual({
      code: 1,
      stdout: '',
      stderr: 'not allowed\nthe log cannot be read: journalctl ended with exit code 1\n',
    });
    program('journalctl', 'true');
    expect(await run('collect-logs.sh', {})).toEqual({
      code: 0,
      stdout: '{"type":"Output","data":{"lines":[]}}\n',
      stderr: '',
    });
  });

  test('restart-service restarts what the owner of the device lists, and nothing else', async () => {
    program('systemctl', `echo "$@" >>${folder}/units`);
    writeFileSync(join(folder, 'services'), 'press\ngate.service\n');
    expect(await run('restart-service.sh', { unit: 'press' })).toMatchObject({
      code: 0,
      stdout: '{"type":"Output","data":{"unit":"press"}}\n',
    });
    expect((await run('restart-service.sh', { unit: 'sshd' })).stderr).toContain('sshd is not in');
    expect((await run('restart-service.sh', { unit: 'pres.' })).code).toBe(1);
    expect((await run('restart-service.sh', { unit: 'press; reboot' })).code).toBe(1);
    expect(lines('units')).toEqual(['restart press']);
  });
});
