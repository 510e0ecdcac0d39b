import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Channel, RpcOutput } from '@corral/multiplex';
import { ByteReader } from '@corral/multiplex';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AgentProcess } from '../test/agent-process.ts';
import { deviceId, HubPeer, ok, token } from '../test/hub-peer.ts';

let hub: HubPeer;
let folder: string;
let running: AgentProcess | undefined;
/** Claims that wait, oldest first. */
let claims: ((work: readonly unknown[]) => void)[];

beforeEach(async () => {
  hub = await HubPeer.start();
  claims = [];
  hub.answers['devices_ClaimOperationWork'] = () =>
    new Promise<RpcOutput>((resolve) => claims.push((work) => resolve(ok({ work }))));
  folder = await mkdtemp(join(tmpdir(), 'corral-agent-'));
  await mkdir(join(folder, 'commands'));
  await command(
    'append',
    `cat >>${folder}/log; echo >>${folder}/log; echo '{"type":"Output","data":"done"}'`,
  );
  await command('slow', `echo started >&2; echo slow >>${folder}/log; sleep 600`);
  await command('fails', 'echo first >&2; echo why >&2; exit 7');
});

afterEach(async () => {
  running?.child.kill('SIGKILL');
  await running?.ended;
  running = undefined;
  await hub.stop();
  await rm(folder, { recursive: true, force: true });
});

async function command(name: string, script: string): Promise<void> {
  const program = join(folder, 'commands', `${name}.sh`);
  await writeFile(program, `#!/bin/sh\n${script}\n`);
  await chmod(program, 0o755);
  const text = `[command]\nname = "${name}"\n[exec]\nhandler = ["./${name}.sh"]\ntimeout = 600\n`;
  await writeFile(join(folder, 'commands', `${name}.toml`), text);
}

async function start(operations = 'enabled = true\npoll-interval-secs = 1\n'): Promise<AgentProcess> {
  const config = join(folder, 'agent.toml');
  const text = `[commands]\nenabled = true\ndirectory = "commands"\n[operations]\n${operations}`;
  await writeFile(config, text);
  const args = ['run', '--config', config, '--hub-url', hub.url, '--state', join(folder, 'state')];
  running = new AgentProcess([...args, '--log-format', 'pretty'], { CORRAL_AGENT_TOKEN: token });
  await running.says(/connected to/);
  return running;
}

/** Answers the newest claim with a step. */
async function handOut(index: number, name: string, input: unknown = null): Promise<void> {
  const claim = await vi.waitFor(() => {
    const newest = claims.pop();
    if (newest === undefined) throw new Error('the agent does not ask for work');
    return newest;
  });
  claim([
    {
      deviceOperationId: `d_op_${'1'.repeat(22)}`,
      claimId: `d_op_claim_${String(index).repeat(22)}`,
      operationName: 'a test',
      stepIndex: 0,
      step: { kind: 'DeviceCommand', command: name, input },
    },
  ]);
}

const reports = () => hub.inputsOf('devices_ReportOperationStep');
const log = () => readFile(join(folder, 'log'), 'utf8').catch(() => '');

interface Invocation {
  readonly channel: Channel;
  /** The next frame of the device. */
  next(): Promise<Record<string, unknown> | undefined>;
}

async function invoke(message: Record<string, unknown>): Promise<Invocation> {
  const channel = await hub.newest.openChannel('handler');
  const body = Buffer.from(JSON.stringify(message));
  const head = Buffer.alloc(4);
  head.writeUInt32BE(body.length);
  await channel.write(Buffer.concat([head, body]));
  const reader = new ByteReader(channel);
  return {
    channel,
    async next() {
      const size = await reader.read(4);
      if (size === null) return undefined;
      const frame = await reader.read(Buffer.from(size).readUInt32BE());
      return JSON.parse(Buffer.from(frame ?? []).toString('utf8')) as Record<string, unknown>;
    },
  };
}

test('the agent publishes its commands and that it takes them', async () => {
  await start();
  const setOf = (name: string) => hub.inputsOf('devices_SetProperty').find((input) => input['name'] === name);
  await vi.waitFor(() => expect(setOf('dev.nexigon.commands')).toBeDefined());
  expect(setOf('dev.nexigon.commands')?.['value']).toEqual({
    commands: [{ name: 'append' }, { name: 'fails' }, { name: 'slow' }],
  });
  await vi.waitFor(() =>
    expect(setOf('dev.nexigon.system.info')?.['value']).toMatchObject({
      agent: { config: { commands: { enabled: true }, operations: { enabled: true } } },
    }),
  );
  await vi.waitFor(() =>
    expect(hub.inputsOf('devices_ClaimOperationWork')).toEqual([
      { deviceId, limit: 1, kinds: ['DeviceCommand'] },
    ]),
  );
});

test('a command through a channel has its log as it comes, and its result', async () => {
  await start();
  const { next } = await invoke({ type: 'Invoke', command: 'fails', input: null, streamLog: true });
  const lines: unknown[] = [];
  let frame = await next();
  for (; frame?.['type'] === 'Log'; frame = await next()) lines.push(...(frame['lines'] as unknown[]));
  expect(lines).toEqual(['first\n', 'why\n']);
  expect(frame).toEqual({
    type: 'Done',
    status: 'Error',
    error: 'The command fails ended with exit code 7.',
    logTail: ['first\n', 'why\n'],
    durationMs: expect.any(Number),
  });
  expect(await next()).toBeUndefined();
  const appended = await invoke({ type: 'Invoke', command: 'append', input: { n: 1 }, timeoutSecs: 30 });
  expect(await appended.next()).toMatchObject({ type: 'Done', status: 'Ok', output: 'done' });
  expect(await log()).toBe('{"n":1}\n');
  const unknown = await invoke({ type: 'Invoke', command: 'rm', input: null });
  expect(await unknown.next()).toMatchObject({ error: 'This device offers no command "rm".' });
  const malformed = await invoke({ type: 'Invoke', command: 'append' });
  expect(await malformed.next()).toBeUndefined();
});

test('three commands run through channels beside one of an operation, and the end of a channel kills its command', async () => {
  await start();
  const slow = { type: 'Invoke', command: 'slow', input: null, streamLog: true };
  const three = [await invoke(slow), await invoke(slow), await invoke(slow)];
  for (const { next } of three) expect(await next()).toEqual({ type: 'Log', lines: ['started\n'] });
  await expect(hub.newest.openChannel('handler')).rejects.toThrow('this device runs 3 commands already');
  three[0]?.channel.abort();
  const fourth = await vi.waitFor(() => invoke(slow));
  expect(await fourth.next()).toEqual({ type: 'Log', lines: ['started\n'] });
});

test('a step is run once, reported, and the next one asked for', async () => {
  await start();
  await handOut(1, 'append', { n: 1 });
  await vi.waitFor(() => expect(reports()).toHaveLength(1));
  expect(reports()[0]).toEqual({
    deviceId,
    deviceOperationId: `d_op_${'1'.repeat(22)}`,
    stepIndex: 0,
    claimId: `d_op_claim_${'1'.repeat(22)}`,
    report: { status: 'Succeeded', output: 'done' },
  });
  await vi.waitFor(() => expect(claims).toHaveLength(1));
  expect(await log()).toBe('{"n":1}\n');
  expect(JSON.parse(await readFile(join(folder, 'state', 'operations.json'), 'utf8'))).toEqual({ steps: [] });
});

test('the report of a command that failed ends with its log', async () => {
  await start();
  await handOut(1, 'fails');
  await vi.waitFor(() =>
    expect(reports()[0]?.['report']).toEqual({
      status: 'Failed',
      error: 'The command fails ended with exit code 7.\nfirst\nwhy',
    }),
  );
});

test('after an empty answer the agent asks again after its interval', async () => {
  await start();
  await vi.waitFor(() => expect(claims).toHaveLength(1));
  claims.shift()?.([]);
  await vi.waitFor(() => expect(claims).toHaveLength(1));
});

test('a result whose report was lost is sent again under the next claim, and the command does not run again', async () => {
  await start();
  const reported = Promise.withResolvers<void>();
  hub.answers['devices_ReportOperationStep'] = () => {
    reported.resolve();
    return new Promise(() => undefined);
  };
  await handOut(1, 'append', 1);
  await reported.promise;
  hub.cut();
  delete hub.answers['devices_ReportOperationStep'];
  await handOut(2, 'append', 1);
  await vi.waitFor(() => expect(reports()).toHaveLength(2));
  expect(reports()[1]).toMatchObject({
    claimId: `d_op_claim_${'2'.repeat(22)}`,
    report: { status: 'Succeeded', output: 'done' },
  });
  expect(await log()).toBe('1\n');
});

test.each(['the link', 'the agent'])(
  'a step during which %s is lost is reported as interrupted',
  async (lost) => {
    const agent = await start();
    await handOut(1, 'slow');
    await vi.waitFor(async () => expect(await log()).toBe('slow\n'));
    if (lost === 'the link') hub.cut();
    else {
      agent.child.kill('SIGKILL');
      await agent.ended;
    }
    if (lost === 'the agent') await start();
    await handOut(2, 'slow');
    await vi.waitFor(() => expect(reports()).toHaveLength(1));
    expect(reports()[0]?.['report']).toEqual({
      status: 'Failed',
      error: expect.stringMatching(/^previous command execution was interrupted after dispatch/),
    });
    expect(await log()).toBe('slow\n');
  },
);

test('a step that cannot be recorded is not run, and the hub is told why', async () => {
  await start();
  // Nothing can be renamed to the name of a folder.
  await mkdir(join(folder, 'state', 'operations.json'));
  await handOut(1, 'append', 1);
  await vi.waitFor(() => expect(reports()).toHaveLength(1));
  expect(reports()[0]?.['report']).toMatchObject({
    status: 'Failed',
    error: expect.stringMatching(/^The command was not run, .*operations.json cannot be written: /),
  });
  expect(await log()).toBe('');
});

test('an output that the hub refuses becomes a failure, so that the step ends', async () => {
  await start();
  hub.answers['devices_ReportOperationStep'] = async (input) =>
    JSON.stringify(input).includes('Succeeded')
      ? { result: 'Error', error: { kind: 'Invalid', message: 'The output is nested too deep.' } }
      : ok({});
  await handOut(1, 'append', 1);
  await vi.waitFor(() => expect(reports()).toHaveLength(2));
  expect(reports()[1]?.['report']).toEqual({
    status: 'Failed',
    error: 'The command ended well, but the hub refused its output. The output is nested too deep.',
  });
});

test.each(['append', 'quiet'])(
  'a result of %s that a busy hub did not take is sent again under the next claim',
  async (name) => {
    await command('quiet', `cat >>${folder}/log; echo >>${folder}/log`);
    await start();
    hub.answers['devices_ReportOperationStep'] = async () => ({
      result: 'Error',
      error: { kind: 'RateLimited', message: 'Too many calls.' },
    });
    await handOut(1, name, 1);
    await vi.waitFor(() => expect(claims).toHaveLength(1));
    delete hub.answers['devices_ReportOperationStep'];
    await handOut(2, name, 1);
    await vi.waitFor(() => expect(reports()).toHaveLength(2));
    expect(reports()[1]).toMatchObject({
      claimId: `d_op_claim_${'2'.repeat(22)}`,
      report: { status: 'Succeeded' },
    });
    expect(await log()).toBe('1\n');
  },
);

test('a hub that knows no operations is asked again after the interval', async () => {
  hub.answers['devices_ClaimOperationWork'] = {
    result: 'Error',
    error: { kind: 'Invalid', message: 'There is no action of that name.' },
  };
  const agent = await start();
  await vi.waitFor(() => expect(hub.inputsOf('devices_ClaimOperationWork').length).toBeGreaterThan(1));
  expect(agent.stderr.match(/the hub gives no work/g)).toHaveLength(1);
});

test('operations without commands are refused at the start', async () => {
  const config = join(folder, 'agent.toml');
  await writeFile(config, '[operations]\nenabled = true\n');
  running = new AgentProcess(['run', '--config', config, '--hub-url', hub.url], {
    CORRAL_AGENT_TOKEN: token,
  });
  await once(running.child, 'close');
  expect(running.stderr).toContain('operations.enabled needs commands.enabled = true');
});
