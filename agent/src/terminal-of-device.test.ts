import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AgentProcess } from '../test/agent-process.ts';
import { HubPeer, token } from '../test/hub-peer.ts';
import { TerminalClient } from '../test/terminal-client.ts';

let hub: HubPeer;
let folder: string;
let running: AgentProcess | undefined;

beforeEach(async () => {
  hub = await HubPeer.start();
  folder = await mkdtemp(join(tmpdir(), 'corral-agent-'));
  await chmod(folder, 0o755);
});

afterEach(async () => {
  running?.child.kill('SIGKILL');
  await running?.ended;
  running = undefined;
  await hub.stop();
  await rm(folder, { recursive: true, force: true });
});

async function start(terminal: string, env: Record<string, string> = {}): Promise<AgentProcess> {
  const config = join(folder, 'agent.toml');
  await writeFile(config, `[terminal]\n${terminal}`);
  const args = ['run', '--config', config, '--hub-url', hub.url, '--state', join(folder, 'state')];
  running = new AgentProcess([...args, '--log-format', 'pretty'], { CORRAL_AGENT_TOKEN: token, ...env });
  await running.says(/connected to/);
  return running;
}

const enabled = 'enabled = true\nshell = "/bin/sh"\n';
const own = userInfo().username;

const open = async (endpoint = 'terminal'): Promise<TerminalClient> =>
  new TerminalClient(await hub.newest.openChannel(endpoint));

const reported = (): Promise<unknown> =>
  vi.waitFor(() => {
    const info = hub.inputsOf('devices_SetProperty').find(({ name }) => name === 'dev.nexigon.system.info');
    if (info === undefined) throw new Error('nothing was reported');
    return (info['value'] as { agent: { config: { terminal: unknown } } }).agent.config.terminal;
  });

test('a login shell answers, follows the size, and ends with its status', async () => {
  await start(enabled);
  expect(await reported()).toEqual({ enabled: true, users: [own] });
  const terminal = await open();
  await terminal.resize(101, 33);
  await terminal.type('echo $((40+2)) $TERM; cd; [ "$PWD" = "$HOME" ] && echo at home; stty size\r');
  await terminal.says(/42 xterm-256color\r\nat home\r\n33 101\r\n/);
  await terminal.type('(trap "stty size" WINCH; trap "echo left" INT; while :; do sleep 0.1; done)\r');
  await terminal.says(/done\)\r\n/);
  await terminal.resize(90, 20);
  await terminal.resize(77, 11);
  await terminal.says(/11 77/);
  await terminal.type('\x1c');
  await terminal.type('exit 7\r');
  expect(await terminal.exit).toBe(7);
  const killed = await open(`terminal/${own}`);
  await killed.type('kill -9 $$\r');
  expect(await killed.exit).toBe(137);
});

test('nothing of the environment of the agent reaches the shell', async () => {
  await start(enabled, { SECRET_OF_THE_AGENT: 'x' });
  const terminal = await open();
  await terminal.type('env | sort; exit\r');
  expect(await terminal.exit).toBe(0);
  const text = terminal.output.toString();
  expect(text).toContain(`USER=${own}\r\n`);
  expect(text).not.toMatch(/CORRAL|SECRET|NODE_|LOGIN_SHELL/);
});

test('a paste of 1 MiB arrives whole, and so does what it echoes', async () => {
  await start(enabled);
  const terminal = await open();
  const paste = Buffer.alloc(1_048_576, `${'0123456789abcdefghi'.repeat(4)}\n`);
  await terminal.type(`stty raw -echo; echo READY; head -c ${paste.length} | tee ${folder}/pasted; exit\r`);
  await terminal.says(/READY\r?\n/);
  await terminal.send(0, paste);
  await terminal.exit;
  expect(hash('sha256', await readFile(join(folder, 'pasted')))).toBe(hash('sha256', paste));
  expect(terminal.output.includes(paste)).toBe(true);
  expect(terminal.tooLong).toBe(0);
});

test('a shell that writes without end waits for the hub', async () => {
  const agent = await start(enabled);
  const channel = await hub.newest.openChannel('terminal');
  const head = Buffer.from([0, 0, 0, 5, 0]);
  await channel.write(Buffer.concat([head, Buffer.from('yes\r')]));
  const written = async (): Promise<number> =>
    Number(/^wchar: (\d+)/m.exec(await readFile(`/proc/${agent.child.pid}/io`, 'utf8'))?.[1]);
  let before = -1;
  await vi.waitFor(async () => {
    const now = await written();
    const isHeld = now === before;
    before = now;
    expect(isHeld).toBe(true);
  });
  expect(before).toBeLessThan(64 * 1_048_576);
  channel.abort();
  await agent.says(/the terminal of \S+ was closed/);
});

test('the end of the channel ends the shell and what runs in it', async () => {
  const agent = await start(enabled);
  const terminal = await open();
  await terminal.type('trap "" HUP; echo pid $$; while :; do sleep 600; done\r');
  await terminal.says(/pid \d+\r\n/);
  const pid = /pid (\d+)\r\n/.exec(terminal.output.toString())?.[1];
  expect(await readlink(`/proc/${pid}/fd/0`)).toMatch(/^\/dev\/pts\//);
  terminal.channel.end();
  expect(await terminal.exit).toBeUndefined();
  await vi.waitFor(() => expect(existsSync(`/proc/${pid}`)).toBe(false));
  expect(agent.stderr).not.toMatch(/failed/);
});

test('a program in front that ignores that its terminal is gone ends, too', async () => {
  await start(enabled);
  const terminal = await open();
  await terminal.type(`sh -c 'trap "" HUP; echo pid $$; while :; do sleep 600; done'\r`);
  await terminal.says(/pid \d+\r\n/);
  const pid = /pid (\d+)\r\n/.exec(terminal.output.toString())?.[1];
  terminal.channel.end();
  await terminal.exit;
  await vi.waitFor(() => expect(existsSync(`/proc/${pid}`)).toBe(false));
});

test('a shell outlives no link', async () => {
  await start(enabled);
  const terminal = await open();
  await terminal.type('echo pid $$; sleep 600\r');
  await terminal.says(/pid \d+\r\n/);
  const pid = /pid (\d+)\r\n/.exec(terminal.output.toString())?.[1];
  hub.cut();
  await vi.waitFor(() => expect(existsSync(`/proc/${pid}`)).toBe(false));
});

test('a shell outlives no agent that is killed', async () => {
  const agent = await start(enabled);
  const terminal = await open();
  await terminal.type('echo pid $$; sleep 600\r');
  await terminal.says(/pid \d+\r\n/);
  const pid = /pid (\d+)\r\n/.exec(terminal.output.toString())?.[1];
  agent.child.kill('SIGKILL');
  await vi.waitFor(() => expect(existsSync(`/proc/${pid}`)).toBe(false));
});

test('four terminals at a time, and what is no frame ends its session alone', async () => {
  await start(enabled);
  const four = [await open(), await open(), await open(), await open()];
  await expect(hub.newest.openChannel('terminal')).rejects.toThrow('this device has 4 terminals open');
  await four[0]?.send(0, Buffer.alloc(0), 0);
  await four[1]?.send(2, Buffer.alloc(4));
  await four[2]?.send(0, Buffer.alloc(0), 2_000_000);
  for (const terminal of four.slice(0, 3)) expect(await terminal.exit).toBeUndefined();
  await four[3]?.type('echo still $((1+1))\r');
  await four[3]?.says(/still 2/);
  await vi.waitFor(open);
});

test('a user who may have none gets a terminal that ends at once', async () => {
  const agent = await start(enabled);
  expect(await (await open('terminal/mallory')).exit).toBeUndefined();
  expect(agent.stderr).toContain('the user "mallory" may have none');
});

test('root opens terminals of the users that it allows', async (context) => {
  if (process.getuid?.() !== 0) context.skip('Only root can become another user.');
  await start(`${enabled}allowed-users = ["nobody", "root"]\n`);
  expect(await reported()).toEqual({ enabled: true, users: ['root', 'nobody'] });
  const terminal = await open('terminal/nobody');
  await terminal.type('id -un; id -Gn; echo $USER; stat -c %U $(tty); env; exit 3\r');
  expect(await terminal.exit).toBe(3);
  expect(terminal.output.toString()).toMatch(/nobody\r\nnogroup\r\nnobody\r\nnobody\r\n/);
  expect(terminal.output.toString()).not.toMatch(/CORRAL/);
});

test('terminals are off where nobody enabled them, and where script is missing', async () => {
  const off = await start('');
  expect(await reported()).toEqual({ enabled: false, users: [] });
  await expect(hub.newest.openChannel('terminal')).rejects.toThrow(
    'terminals are not enabled on this device',
  );
  await off.stop();
  hub.calls.length = 0;
  const without = await start(enabled, { PATH: folder });
  expect(await reported()).toEqual({ enabled: false, users: [] });
  expect(without.stderr).toContain('this device offers no terminals: Terminals need the program script');
  await expect(hub.newest.openChannel('terminal')).rejects.toThrow(
    'Terminals need the program script of util-linux, which this device does not have.',
  );
});
