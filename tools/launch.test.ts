import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { repositoryRoot } from './source-files.ts';

interface Launcher {
  chooseNode(candidates: string[]): string | undefined;
  isRecentEnough(version: string): boolean;
  isUpToDate(folder: string): boolean;
}

const { chooseNode, isRecentEnough, isUpToDate } = createRequire(import.meta.url)('./launch.cjs') as Launcher;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'corral-launch-'));
  write('package-lock.json', JSON.stringify({ packages: { 'node_modules/a': { version: '1.0.0' } } }));
  for (const file of ['launch.cjs', 'follow-launcher.ts']) {
    mkdirSync(join(folder, 'tools'), { recursive: true });
    copyFileSync(join(repositoryRoot, 'tools', file), join(folder, 'tools', file));
  }
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text: string): string {
  const target = join(folder, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
  return target;
}

function program(path: string, script: string): string {
  const target = write(path, `#!/bin/sh\n${script}\n`);
  chmodSync(target, 0o755);
  return target;
}

const installed = (version: string): string =>
  write('node_modules/.package-lock.json', JSON.stringify({ packages: { 'node_modules/a': { version } } }));

const launchArgs = (...args: string[]): string[] => [join(folder, 'tools/launch.cjs'), ...args];

/** An environment whose PATH has only the test's folder `bin`. */
const bareMachine = (): NodeJS.ProcessEnv => ({ PATH: join(folder, 'bin'), HOME: folder });

const launch = (...args: string[]) =>
  spawnSync(process.execPath, launchArgs(...args), { env: bareMachine(), encoding: 'utf8' });

test('Node is recent enough from 22.19 on', () => {
  expect(['v22.19.0', 'v22.20.1', 'v24.0.0', 'v100.0.0'].every(isRecentEnough)).toBe(true);
  expect(['v22.18.9', 'v20.19.0', 'v8.0.0'].some(isRecentEnough)).toBe(false);
});

test('the first Node that runs and is recent enough is chosen', () => {
  const old = program('old', 'echo v20.11.0');
  const broken = program('broken', 'exit 127');
  const good = program('good', 'echo v24.1.0');
  expect(chooseNode([join(folder, 'none'), broken, old, good, process.execPath])).toBe(good);
  expect(chooseNode([broken, old])).toBeUndefined();
});

test('libraries are up to date when the installed versions are those of the lock file', () => {
  expect(isUpToDate(folder)).toBe(false);
  installed('0.9.0');
  expect(isUpToDate(folder)).toBe(false);
  installed('1.0.0');
  expect(isUpToDate(folder)).toBe(true);
});

test('a package for another machine may be missing, one for this machine may not', () => {
  const lockFor = (os: string) =>
    write(
      'package-lock.json',
      JSON.stringify({ packages: { 'node_modules/b': { version: '1.0.0', optional: true, os: [os] } } }),
    );
  installed('1.0.0');
  lockFor('another');
  expect(isUpToDate(folder)).toBe(true);
  lockFor(process.platform);
  expect(isUpToDate(folder)).toBe(false);
});

test('without npm the launcher reports in one sentence what is missing', () => {
  const { status, stdout, stderr } = launch('check');
  expect(status).toBe(1);
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^Corral needs npm .*\n$/);
});

test('an installation that fails is explained, and installs no scripts', () => {
  program(
    'bin/npm',
    `[ "$1" = --version ] && echo 11.0.0 && exit 0\necho "$npm_config_ignore_scripts $*" > '${folder}/said'; exit 1`,
  );
  const { status, stderr } = launch('check');
  expect(status).toBe(1);
  expect(stderr).toMatch(/could not be installed: .*registry/);
  expect(readFileSync(join(folder, 'said'), 'utf8')).toMatch(/^true ci /);
});

test('a successful installation is remembered', () => {
  const record = '{"packages":{}}';
  program(
    'bin/npm',
    `[ "$1" = --version ] && echo 11.0.0 && exit 0\n/bin/mkdir -p '${folder}/node_modules'; echo '${record}' > '${folder}/node_modules/.package-lock.json'; echo x >> '${folder}/runs'`,
  );
  write('tools/check.ts', "console.log('checked');");
  expect(launch('check').stdout).toBe('checked\n');
  expect(launch('check').stdout).toBe('checked\n');
  expect(readFileSync(join(folder, 'runs'), 'utf8')).toBe('x\n');
});

test('an unknown command prints the list of commands', () => {
  const { status, stderr } = launch('constructor');
  expect(status).toBe(1);
  expect(stderr).toMatch(/^Say which command to run: start, dev, .*\n$/);
});

test('arguments, the library path and the exit code are passed on', () => {
  installed('1.0.0');
  write(
    'tools/check.ts',
    'console.log(JSON.stringify([process.argv.slice(2), process.env["PATH"]])); process.exit(7);',
  );
  const { status, stdout } = launch('check', 'a b', '--c');
  expect(status).toBe(7);
  expect(JSON.parse(stdout)).toEqual([['a b', '--c'], `${folder}/node_modules/.bin:${folder}/bin`]);
});

test('the help of start is shown without building anything', () => {
  installed('1.0.0');
  write('tools/build.ts', "console.log('built');");
  write('hub/src/main.ts', "console.log('hub');");
  expect(launch('start', '--help').stdout).toBe('hub\n');
  expect(launch('start').stdout).toBe('built\nhub\n');
});

const signalLoggingProgram = `
import { appendFileSync } from 'node:fs';
const note = (text: string) => appendFileSync('${'FOLDER'}/notes', text + '\\n');
process.on('SIGINT', () => note('SIGINT'));
process.on('SIGTERM', () => { note('SIGTERM'); process.exit(5); });
setInterval(() => {}, 1000);
note('ready');
`;

const notes = (): string =>
  existsSync(join(folder, 'notes')) ? readFileSync(join(folder, 'notes'), 'utf8') : '';

async function startSignalLoggingProgram() {
  installed('1.0.0');
  write('tools/dev.ts', signalLoggingProgram.replace('FOLDER', folder));
  const launcher = spawn(process.execPath, launchArgs('dev'), { env: bareMachine(), stdio: 'ignore' });
  await vi.waitFor(() => expect(notes()).toBe('ready\n'));
  return launcher;
}

test('a signal that comes twice, from the terminal and through npm, reaches the program once', async () => {
  const launcher = await startSignalLoggingProgram();
  launcher.kill('SIGINT');
  await vi.waitFor(() => expect(notes()).toMatch(/SIGINT/));
  launcher.kill('SIGINT');
  const ended = once(launcher, 'exit');
  launcher.kill('SIGTERM');
  expect((await ended)[0]).toBe(5);
  expect(notes()).toBe('ready\nSIGINT\nSIGTERM\n');
});

test('the program stops when the launcher is killed', async () => {
  const launcher = await startSignalLoggingProgram();
  launcher.kill('SIGKILL');
  await vi.waitFor(() => expect(notes()).toBe('ready\nSIGTERM\n'));
});

test.each(['SIGTERM', 'SIGKILL'] as const)(
  'the program stops gracefully when npm ends by %s together with its shell',
  async (signal) => {
    installed('1.0.0');
    write('tools/dev.ts', signalLoggingProgram.replace('FOLDER', folder));
    const env = { ...bareMachine(), npm_lifecycle_event: 'dev' };
    const command = [process.execPath, ...launchArgs('dev')].map((word) => `'${word}'`).join(' ');
    const shell = spawn('/bin/sh', ['-c', `${command}; exit 0`], { env, stdio: 'ignore' });
    await vi.waitFor(() => expect(notes()).toBe('ready\n'));
    shell.kill(signal);
    await vi.waitFor(() => expect(notes()).toBe('ready\nSIGTERM\n'));
  },
);

test('the program stops gracefully when npm is killed and its shell remains', async () => {
  installed('1.0.0');
  write('tools/dev.ts', signalLoggingProgram.replace('FOLDER', folder));
  const command = [process.execPath, ...launchArgs('dev')].map((word) => `'${word}'`).join(' ');
  const npm = write(
    'npm.cjs',
    `require('child_process').spawn('/bin/sh', ['-c', ${JSON.stringify(`${command}; exit 0`)}], { stdio: 'ignore' });`,
  );
  const env = { ...bareMachine(), npm_lifecycle_event: 'dev' };
  const started = spawn(process.execPath, [npm], { env, stdio: 'ignore' });
  await vi.waitFor(() => expect(notes()).toBe('ready\n'));
  started.kill('SIGKILL');
  await vi.waitFor(() => expect(notes()).toBe('ready\nSIGTERM\n'));
});
