import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Id } from '@corral/contract';
import { type HttpHub, httpHub } from '../../../test/http-hub.ts';

let hub: HttpHub;
let folder: string;
let owner: Awaited<ReturnType<HttpHub['user']>>;
let projectId: Id<'project'>;
beforeAll(async () => {
  hub = await httpHub();
  owner = await hub.user('owner@example.org');
  ({ projectId } = await hub.executor.invoke({ actor: owner, origin: {} }, 'projects_CreateProject', {
    name: 'Plant',
  }));
});
afterAll(() => hub[Symbol.asyncDispose]());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corral-pair-'));
  return () => rm(folder, { recursive: true });
});

const newKey = async () =>
  (await hub.executor.invoke({ actor: owner, origin: {} }, 'projects_CreateDevicePairingKey', { projectId }))
    .pairingKey;

/** The shells that devices have: Debian's, that of small systems, and bash. */
const shells = ['dash', 'busybox sh', 'bash --posix'];

const pair = (shell: string, ...args: readonly string[]) => pairIn({ shell }, ...args);

async function pairIn(
  { shell, path = '', cwd }: { readonly shell: string; readonly path?: string; readonly cwd?: string },
  ...args: readonly string[]
) {
  const script = await (await fetch(`${hub.url}/pair.sh`)).text();
  const [program = '', ...first] = shell.split(' ');
  const env = { PATH: `${path}${process.env['PATH']}` };
  const child = spawn(program, [...first, '-s', ...args], { env, ...(cwd === undefined ? {} : { cwd }) });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  child.stdin.end(script);
  await once(child, 'close');
  return { code: child.exitCode, said };
}

test('the script is text that names this hub', async () => {
  const answer = await fetch(`${hub.url}/pair.sh`);
  expect(answer.headers.get('content-type')).toBe('text/x-shellscript; charset=utf-8');
  const text = await answer.text();
  expect(text).toMatch(/^#!\/bin\/sh\n/);
  expect(text).not.toContain('@HUB@');
});

describe.each(shells)('%s', (shell) => {
  test('redeems a key and writes hub and token, with the settings that there were', async () => {
    const config = join(folder, 'agent.toml');
    await writeFile(
      config,
      'token = "old"\n  hub-url="https://other.example"\ndata-path = "/data"\n[commands]\ntoken = "kept"\nenabled = true\n',
    );
    const { code, said } = await pair(shell, (await newKey()).toLowerCase(), '--config', config);
    expect(said).toContain(`Wrote ${config}.`);
    expect(code).toBe(0);
    expect(await readFile(config, 'utf8')).toMatch(
      /^hub-url = "http:\/\/[^"]+"\ntoken = "deployment_[1-9A-Za-z]{66}"\ndata-path = "\/data"\n\[commands\]\ntoken = "kept"\nenabled = true\n$/,
    );
    expect((await stat(config)).mode & 0o777).toBe(0o640);
    expect(await readdir(folder)).toEqual(['agent.toml']);
  });

  test('makes the folder of a file that is not there', async () => {
    const config = join(folder, 'corral', 'agent.toml');
    expect((await pair(shell, await newKey(), '--config', config)).code).toBe(0);
    expect(await readFile(config, 'utf8')).toMatch(/^hub-url = /);
    expect((await stat(config)).mode & 0o777).toBe(0o600);
  });

  test('shows the sentence of the hub about a wrong key, and writes nothing', async () => {
    const { code, said } = await pair(shell, '000000-0000', '--config', join(folder, 'agent.toml'));
    expect(code).toBe(1);
    expect(said).toContain('pair.sh: The pairing key is not valid: it was mistyped, was used, or has ended.');
    expect(await readdir(folder)).toEqual([]);
  });

  test.each([[[]], [['A', '--help']], [['A', 'B']], [['7K2M9Q-X4TB', '--config']]])(
    'says how it is used after %j',
    async (args) => {
      const { code, said } = await pair(shell, ...args);
      expect([code, said]).toEqual([1, expect.stringContaining('Usage: curl -fsS http')]);
    },
  );

  test.each(['7K2M9Q-X4T', '7K2M9Q-X4T$', '$(id)000000', '7K2M9Q "x4'])('sends no key %s', async (key) => {
    expect((await pair(shell, key)).said).toContain('A pairing key has ten letters and digits');
  });

  test.each([
    '7K2M9Q-X4TB\n7K2M9Q-X4TB',
    '../../../x4',
    '"},"a":"b',
    '\\0017K2M9Q-X4TB',
    '7K2M9Q-X4TB ; touch x',
  ])('does nothing with %j but refuse it', async (key) => {
    const { code, said } = await pairIn({ shell, cwd: folder }, key, '--config', 'agent.toml');
    expect([code, said]).toEqual([1, expect.stringContaining('A pairing key has ten letters')]);
    expect(await readdir(folder)).toEqual([]);
  });

  test('reads a file of any name', async () => {
    for (const config of ['a=b.toml', '-v.toml', 'a b$(id)\'".toml']) {
      await writeFile(join(folder, config), 'data-path = "/data"\n');
      const { code, said } = await pairIn({ shell, cwd: folder }, await newKey(), '--config', config);
      expect([code, said]).toEqual([0, expect.stringContaining(`Wrote ${config}.`)]);
      expect(await readFile(join(folder, config), 'utf8')).toMatch(
        /^hub-url = .*\ntoken = .*\ndata-path = "\/data"\n$/,
      );
    }
  });

  test('leaves a file to who may read it, but for everybody else', async (context) => {
    if (process.getuid?.() !== 0) context.skip('Only root can give files away.');
    const config = join(folder, 'agent.toml');
    await writeFile(config, '');
    await chown(config, 65534, 12345);
    await chmod(config, 0o644);
    expect((await pair(shell, await newKey(), '--config', config)).code).toBe(0);
    const { uid, gid, mode } = await stat(config);
    expect([uid, gid, mode & 0o777]).toEqual([65534, 12345, 0o640]);
  });

  test('gives the file to the user of the agent, whom it is told or whom systemd names', async (context) => {
    if (process.getuid?.() !== 0) context.skip('Only root can give files away.');
    const config = join(folder, 'agent.toml');
    const told = await pair(shell, await newKey(), '--config', config, '--user', 'nobody');
    expect([told.code, told.said]).toEqual([0, expect.stringContaining('for the user nobody')]);
    const owner = async () => {
      const { uid, mode } = await stat(config);
      return [uid, mode & 0o777];
    };
    expect(await owner()).toEqual([65534, 0o600]);
    await chown(config, 0, 0);
    const systemctl = '#!/bin/sh\n[ "$4" != nexigon-agent ] || echo User=nobody\n';
    await writeFile(join(folder, 'systemctl'), systemctl, { mode: 0o755 });
    const path = `${folder}:`;
    expect((await pairIn({ shell, path }, await newKey(), '--config', config)).code).toBe(0);
    expect(await owner()).toEqual([65534, 0o600]);
    for (const user of ['nobody-there', '-x', '$(id)'])
      expect((await pair(shell, await newKey(), '--user', user)).said).toMatch(/There is no (such )?user/);
  });

  test('uses no key in a dry run', async () => {
    const key = await newKey();
    const config = join(folder, 'agent.toml');
    const { code, said } = await pair(shell, key, '--config', config, '--dry-run');
    expect([code, said]).toEqual([0, expect.stringContaining(`write hub-url and token to ${config}`)]);
    expect(await readdir(folder)).toEqual([]);
    expect((await pair(shell, key, '--config', config)).code).toBe(0);
  });
});
