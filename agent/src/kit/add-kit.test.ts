import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AgentProcess } from '../../test/agent-process.ts';
import { readCommands } from '../device-commands/read-commands.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corral-kit-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const add = (...commands: string[]) => {
  const folders = ['--manifests', join(folder, 'commands'), '--scripts', join(folder, 'lib')];
  return new AgentProcess(['kit', 'add', ...commands, ...folders]);
};

test('the agent writes the commands that are named, and no others, with scripts that can be run', async () => {
  const agent = add('reboot', 'install');
  expect(await agent.ended).toBe(0);
  expect(await readdir(join(folder, 'commands'))).toEqual(['install.toml', 'reboot.toml']);
  expect(await readdir(join(folder, 'lib'))).toEqual(['install.sh', 'lib.sh', 'reboot.sh']);
  expect(agent.stdout.trimEnd().split('\n')).toHaveLength(5);
  const warnings: string[] = [];
  const commands = readCommands(join(folder, 'commands'), (warning) => warnings.push(warning));
  expect(commands.get('install')?.handler).toEqual([join(folder, 'lib/install.sh'), '-']);
  expect(warnings).toEqual([]);
  expect((await stat(join(folder, 'lib/reboot.sh'))).mode & 0o777).toBe(0o755);
});

test('a command that the kit does not have is named, and nothing is written', async () => {
  const agent = add('reboot', 'format-disk');
  expect(await agent.ended).toBe(1);
  expect(agent.stderr).toBe(
    'The kit has no command format-disk; it has collect-logs, install, read-file, reboot, restart-service, rotate-certificate, write-file.\n',
  );
  expect(await readdir(folder)).toEqual([]);
});
