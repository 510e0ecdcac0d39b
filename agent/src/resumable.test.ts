import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BytePool, StreamOpener, type ResumableStream } from '@corral/multiplex';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AgentProcess } from '../test/agent-process.ts';
import { HubPeer, token } from '../test/hub-peer.ts';

let hub: HubPeer;
let state: string;
let agent: AgentProcess;
let server: Server;
let port: number;
const programs: Socket[] = [];

beforeEach(async () => {
  hub = await HubPeer.start();
  state = await mkdtemp(join(tmpdir(), 'corral-agent-'));
  agent = new AgentProcess(['run', '--hub-url', hub.url, '--state', state], { CORRAL_AGENT_TOKEN: token });
  server = createServer({ allowHalfOpen: true }, (socket) => void programs.push(socket)).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
  await vi.waitFor(() => expect(hub.connections).toHaveLength(1));
});

afterEach(async () => {
  for (const program of programs.splice(0)) program.destroy();
  server.close();
  agent.child.kill('SIGKILL');
  await agent.ended;
  await hub.stop();
  await rm(state, { recursive: true, force: true });
});

async function open(toPort = port): Promise<ResumableStream> {
  const channel = () => hub.newest.openChannel(`resumable/tcp/${toPort}`);
  const { stream } = new StreamOpener(await channel(), {
    sessionId: randomBytes(16),
    pool: new BytePool(0),
    schedule: (run, delayMs) => {
      const timer = setTimeout(run, delayMs);
      return () => clearTimeout(timer);
    },
    now: () => performance.now(),
    isRevocation: () => false,
    reopen: () => vi.waitFor(channel),
  });
  return stream;
}

test('a connection of a program goes on after the link was cut, and each direction ends separately', async () => {
  const stream = await open();
  await vi.waitFor(() => expect(programs).toHaveLength(1));
  let [atProgram, atOpener] = ['', ''];
  programs[0]?.on('data', (bytes) => (atProgram += String(bytes)));
  const drained = stream.drain((bytes) => void (atOpener += Buffer.from(bytes).toString()));
  void stream.writeOwned(Buffer.from('before '));
  await vi.waitFor(() => expect(atProgram).toBe('before '));
  hub.cut();
  void stream.writeOwned(Buffer.from('and after'));
  stream.end();
  programs[0]?.write('an answer');
  await vi.waitFor(() => expect(atProgram).toBe('before and after'));
  programs[0]?.end(' and its end');
  await drained;
  expect(atOpener).toBe('an answer and its end');
  await stream.closed;
  expect(stream.resetReason).toBeUndefined();
  expect(programs).toHaveLength(1);
});

test('an agent that stops resets its connections at both ends at once', async () => {
  const stream = await open();
  await vi.waitFor(() => expect(programs).toHaveLength(1));
  const failed = once(programs[0] as Socket, 'error');
  expect(await agent.stop()).toBe(0);
  expect(await stream.closed).toBe('the agent is stopping');
  expect((await failed)[0]).toMatchObject({ code: 'ECONNRESET' });
});

test('a port at which nothing listens is refused with its reason', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port: closedPort } = other.address() as AddressInfo;
  other.close();
  await once(other, 'close');
  const stream = await open(closedPort);
  expect(await stream.closed).toBe(`connection refused: nothing listens on port ${closedPort} of the device`);
  expect(stream.wasAccepted).toBe(false);
});
