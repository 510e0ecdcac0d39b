import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AgentProcess } from '../test/agent-process.ts';
import { deviceId, HubPeer, token } from '../test/hub-peer.ts';

let hub: HubPeer;
let state: string;
let running: AgentProcess | undefined;

beforeEach(async () => {
  hub = await HubPeer.start();
  state = await mkdtemp(join(tmpdir(), 'corral-agent-'));
});

afterEach(async () => {
  running?.child.kill('SIGKILL');
  await running?.ended;
  running = undefined;
  await hub.stop();
  await rm(state, { recursive: true, force: true });
});

function run(url = hub.url): AgentProcess {
  const args = ['run', '--hub-url', url, '--state', state, '--log-format', 'pretty'];
  running = new AgentProcess(args, { CORRAL_AGENT_TOKEN: token });
  return running;
}

async function connected(agent: AgentProcess): Promise<void> {
  await agent.says(/connected to/);
}

test('run identifies itself, registers, and publishes the system information', async () => {
  const agent = run();
  await agent.says(new RegExp(`connected to ${hub.url} as ${deviceId}\n`));
  const headers = hub.upgrades[0];
  expect(headers?.authorization).toBe(`Bearer ${token}`);
  expect(headers?.['x-deployment-token']).toBe(token);
  expect(headers?.['x-device-fingerprint']).toMatch(/^d_sk_[1-9A-HJ-NP-Za-km-z]{44}$/);
  expect(headers?.['x-register-connection']).toBe('true');
  expect(decodeURIComponent(String(headers?.['x-client-cert']))).toMatch(/^-----BEGIN CERTIFICATE-----/);
  await vi.waitFor(() => expect(hub.inputsOf('devices_SetProperty')).toHaveLength(1));
  const [set] = hub.inputsOf('devices_SetProperty');
  expect(set).toMatchObject({ deviceId, name: 'dev.nexigon.system.info' });
  expect(set?.['value']).toMatchObject({
    hostname: expect.any(String),
    kernel: expect.any(String),
    memory: { total: expect.any(Number) },
    networks: expect.arrayContaining([
      { name: 'lo', macAddress: '00:00:00:00:00:00', ipAddresses: expect.arrayContaining(['127.0.0.1']) },
    ]),
    disks: expect.any(Array),
    agent: {
      version: expect.stringMatching(/^\d/),
      config: {
        commands: { enabled: false },
        operations: { enabled: false },
        terminal: { enabled: false, users: [] },
      },
    },
  });
  expect((await stat(join(state, 'key.pem'))).mode & 0o777).toBe(0o600);
  expect((await stat(join(state, 'fingerprint'))).mode & 0o777).toBe(0o600);
});

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s ends the connection with a word and the process well',
  async (signal) => {
    const agent = run();
    await connected(agent);
    expect(await agent.stop(signal)).toBe(0);
    expect(await hub.newest.closed).toEqual({ cause: 'peer', reason: 'the agent is stopping' });
    expect(agent.stderr).not.toContain(token);
  },
);

test('the agent stops while it waits for its hub', async () => {
  await hub.stop();
  const agent = run();
  await agent.says(/waiting \d+ s before trying again, because the hub .*nothing listens there/);
  expect(await agent.stop()).toBe(0);
  hub = await HubPeer.start();
});

test('a lost connection is reopened as the same device', async () => {
  const agent = run();
  await connected(agent);
  hub.cut();
  await vi.waitFor(() => expect(hub.connections).toHaveLength(2));
  expect(hub.upgrades[1]?.['x-device-fingerprint']).toBe(hub.upgrades[0]?.['x-device-fingerprint']);
  expect(hub.upgrades[1]?.['x-client-cert']).toBe(hub.upgrades[0]?.['x-client-cert']);
  await agent.says(/waiting 1 s before trying again, because the connection was lost/);
});

test('a pending certificate is logged for comparison, and the agent retries until it is accepted', async () => {
  hub.refusal = {
    status: 403,
    message: 'The certificate of this device is pending: a member must accept it.',
    failure: 'CertificatePending',
  };
  const agent = run();
  await agent.says(
    /certificate pending: ask an operator to accept it, after comparing ([0-9A-F]{2}:){31}[0-9A-F]{2}\n/,
  );
  await vi.waitFor(() => expect(hub.upgrades.length).toBeGreaterThan(1));
  expect(agent.stderr.match(/pending/g)).toHaveLength(1);
  hub.refusal = undefined;
  await connected(agent);
});

test.each([
  [401, 'The deployment token is not known.'],
  [403, 'The certificate of this device was revoked.'],
])('a refusal with %s is logged and retried', async (status, message) => {
  hub.refusal = { status, message };
  const agent = run();
  await agent.says(new RegExp(`because t${message.slice(1, -1)}`));
  await vi.waitFor(() => expect(hub.upgrades.length).toBeGreaterThan(1));
});

test('the agent waits for the Retry-After of the hub', async () => {
  hub.refusal = { status: 503, message: 'The hub is starting.', retryAfter: '2' };
  const agent = run();
  await agent.says(/waiting [23] s before trying again, because the hub is starting/);
  expect(hub.upgrades).toHaveLength(1);
});

/** A TCP service on this machine. */
async function program(serve: (socket: Socket) => void): Promise<{ port: number; server: Server }> {
  const server = createServer({ allowHalfOpen: true }, serve).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

test('a forwarded stream carries every byte both ways, and each direction ends independently', async () => {
  const { port, server } = await program((socket) => {
    // Answers only after the request stream has ended.
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk)).on('end', () => socket.end(Buffer.concat(chunks)));
  });
  await connected(run());
  const channel = await hub.newest.openChannel(`forward/tcp/${port}`);
  const sent = Buffer.alloc(3_000_000, 'corral');
  await channel.write(sent);
  channel.end();
  const received: Uint8Array[] = [];
  for await (const bytes of channel) received.push(bytes);
  expect(Buffer.concat(received).equals(sent)).toBe(true);
  server.close();
});

test('a program that does not read stops the sender once the buffers are full', async () => {
  const { port, server } = await program((socket) => void socket.pause());
  await connected(run());
  const channel = await hub.newest.openChannel(`forward/tcp/${port}`);
  let writtenBytes = 0;
  void (async () => {
    for (;;) {
      await channel.write(new Uint8Array(65_536));
      writtenBytes += 65_536;
    }
  })().catch(() => undefined);
  let before = -1;
  await vi.waitFor(
    () => {
      const isStill = before === writtenBytes;
      before = writtenBytes;
      expect(isStill && writtenBytes > 0).toBe(true);
    },
    { interval: 1_000 },
  );
  expect(writtenBytes).toBeLessThan(32 * 1_048_576);
  channel.abort();
  server.close();
});

test('a lost connection resets the connection of the program, so that truncated data does not look complete', async () => {
  const ended = Promise.withResolvers<string | undefined>();
  const { port, server } = await program((socket) => {
    socket.resume().on('end', () => ended.resolve('an end'));
    socket.on('error', (error: NodeJS.ErrnoException) => ended.resolve(error.code));
  });
  await connected(run());
  await hub.newest.openChannel(`forward/tcp/${port}`);
  hub.cut();
  expect(await ended.promise).toBe('ECONNRESET');
  server.close();
});

test('a reset by the program aborts the channel, after the data sent before', async () => {
  const { port, server } = await program((socket) => {
    socket.write('half of');
    socket.once('data', () => socket.resetAndDestroy());
  });
  await connected(run());
  const channel = await hub.newest.openChannel(`forward/tcp/${port}`);
  expect(String(Buffer.from((await channel.read()) ?? []))).toBe('half of');
  await channel.write(Buffer.from('go on'));
  expect(await channel.read()).toBeNull();
  expect(channel.resetReason).toBe('read ECONNRESET');
  await channel.closed;
  server.close();
});

test('a port at which nothing listens is refused with a reason, and so is every other endpoint', async () => {
  const { port, server } = await program(() => undefined);
  server.close();
  await connected(run());
  const open = (endpoint: string) => hub.newest.openChannel(endpoint);
  await expect(open(`forward/tcp/${port}`)).rejects.toThrow(
    `connection refused: nothing listens on port ${port}`,
  );
  for (const endpoint of [
    'terminals',
    'handler',
    'forward/tcp/0',
    'forward/tcp/65536',
    'forward/tcp/80/x',
    'executor',
  ])
    await expect(open(endpoint)).rejects.toThrow('unknown endpoint');
});
