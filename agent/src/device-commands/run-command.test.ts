import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Json } from '@corral/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { OfferedCommand } from './offered-command.ts';
import { runCommand, type CommandCall } from './run-command.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'corral-command-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

function shell(script: string, more: Partial<OfferedCommand> = {}): OfferedCommand {
  return { name: 'try', handler: ['/bin/sh', '-c', script, 'try', folder], timeoutSecs: 30, ...more };
}

function run(command: OfferedCommand, input: Json = null, more: Partial<CommandCall> = {}) {
  return runCommand(command, { input, signal: new AbortController().signal, ...more });
}

/** Whether a process lives; its children have the number in a file. */
function lives(file: string): boolean {
  try {
    process.kill(Number(readFileSync(join(folder, file), 'utf8')), 0);
    return true;
  } catch {
    return false;
  }
}

test('the input comes on standard input, the last output line is the output, and standard error the log', async () => {
  const result = await run(
    shell(`echo '{"type":"Output","data":1}'; echo noise; echo '{"type":"Later"}'; echo reading >&2
      printf '{"type":"Output","data":{"got":%s}}' "$(cat)"; printf end >&2`),
    { name: 'a"b' },
  );
  expect(result).toMatchObject({ status: 'Ok', output: { got: { name: 'a"b' } } });
  expect(result.logTail).toEqual(['reading\n', 'end']);
  expect(result.durationMs).toBeGreaterThanOrEqual(0);
});

test('a command without an output line has no output', async () => {
  expect(await run(shell('cat >/dev/null'))).not.toHaveProperty('output');
});

test.each([
  ['exit 3', 'The command try ended with exit code 3.'],
  ['kill -9 $$', 'The command try was ended by SIGKILL.'],
  [`head -c 70000 /dev/zero | tr '\\0' x`, 'The command try wrote a line of more than 64 KiB.'],
  ['yes', 'The command try wrote more than 16 MiB or 16,384 lines.'],
  ['yes >&2', 'The command try wrote more than 16 MiB or 16,384 lines to its standard error.'],
  ['yes "" >&2', 'The command try wrote more than 16 MiB or 16,384 lines to its standard error.'],
  [
    'tr "\\0" x </dev/zero >&2',
    'The command try wrote more than 16 MiB or 16,384 lines to its standard error.',
  ],
])('%s is an error', async (script, error) => {
  expect(await run(shell(script))).toMatchObject({ status: 'Error', error });
});

test('a program that does not exist is named', async () => {
  const { error } = await run({ name: 'gone', handler: ['/nowhere/gone'], timeoutSecs: 30 });
  expect(error).toMatch(/^The command gone cannot be started: .*ENOENT/);
});

test.each(['/etc/passwd/gone', 'nul\0'])('a program of the name %j is no program', async (program) => {
  const { status, error } = await run({ name: 'gone', handler: [program], timeoutSecs: 30 });
  expect(status).toBe('Error');
  expect(error).toMatch(/^The command gone cannot be started: /);
});

test('where no file can be opened, the command is not run', async () => {
  const script = `
    import { openSync } from 'node:fs';
    import { runCommand } from ${JSON.stringify(join(import.meta.dirname, 'run-command.ts'))};
    try { for (;;) openSync('/dev/null', 'r'); } catch {}
    const signal = new AbortController().signal;
    const { error } = await runCommand({ name: 'try', handler: ['/bin/true'], timeoutSecs: 30 }, { input: null, signal });
    process.stdout.write(error, () => process.exit(0));`;
  const args = [
    '-c',
    'ulimit -n 100; exec "$@"',
    'sh',
    process.execPath,
    '--input-type=module',
    '-e',
    script,
  ];
  const { stdout, stderr } = spawnSync('/bin/sh', args, { encoding: 'utf8' });
  expect([stdout, stderr]).toEqual([
    expect.stringMatching(/^The command try cannot be started: .*EMFILE/),
    expect.any(String),
  ]);
});

test('input and output that do not fit their schemas are refused with the place', async () => {
  const schema = {
    type: 'object',
    properties: { port: { type: 'integer', pattern: '(' } },
    required: ['port'],
  };
  const command = shell(`touch "$1/ran"; echo '{"type":"Output","data":"x"}'`, {
    input: schema,
    output: { type: 'number' },
  });
  expect(await run(command, { port: 'x' })).toMatchObject({
    error: 'The input of the command try does not fit: port must be a whole number.',
  });
  expect(existsSync(join(folder, 'ran'))).toBe(false);
  expect(await run(command, { port: 1 })).toMatchObject({
    status: 'Error',
    error: 'The output of the command try does not fit: it must be a number.',
  });
});

test('after its time the command and all that it started are killed', async () => {
  const script = 'sh -c \'echo $$ >"$1/child"; exec sleep 600\' x "$1" & wait';
  const result = await run(shell(script), null, { timeoutSecs: 1 });
  expect(result.error).toBe('The command try was stopped after 1 s.');
  await vi.waitFor(() => expect(lives('child')).toBe(false));
});

test('when the signal aborts the command is killed at once', async () => {
  const stop = new AbortController();
  const running = run(shell('echo $$ >"$1/self"; echo up >&2; sleep 600'), null, {
    signal: stop.signal,
    onLog: async () => stop.abort(),
  });
  expect((await running).error).toBe('The command try was stopped.');
  await vi.waitFor(() => expect(lives('self')).toBe(false));
});

test('what a command leaves in the background with closed output and a session of its own goes on, the rest is killed', async () => {
  const script = `setsid sh -c 'echo $$ >"$1/detached"; exec sleep 600' x "$1" </dev/null >/dev/null 2>&1 &
    sh -c 'echo $$ >"$1/attached"; exec sleep 600' x "$1" </dev/null >/dev/null 2>&1 &
    until [ -s "$1/detached" ] && [ -s "$1/attached" ]; do sleep 0.05; done`;
  expect((await run(shell(script))).status).toBe('Ok');
  await vi.waitFor(() => expect(lives('attached')).toBe(false));
  expect(lives('detached')).toBe(true);
  process.kill(Number(readFileSync(join(folder, 'detached'), 'utf8')), 'SIGKILL');
});

test('only the last lines of a long log are kept', async () => {
  const { logTail } = await run(shell('i=0; while [ $i -lt 300 ]; do echo $i >&2; i=$((i+1)); done'));
  expect(logTail).toHaveLength(100);
  expect(logTail.at(-1)).toBe('299\n');
});
