import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { expect, startForward, test as base } from '../fixtures/command-line.ts';
import { newDataDir, removeDataDir, startHubProcess, type HubProcess } from '../fixtures/hub-process.ts';
import { newProject, newToken, newUser, signInByApi } from '../fixtures/operator.ts';
import {
  closedPort,
  dial,
  digestOf,
  FailingNetwork,
  rest,
  sendAll,
  serve,
  serveEcho,
  type Service,
} from '../fixtures/sockets.ts';

interface Parts {
  /** Servers of the test, closed with it. */
  readonly service: (onConnection: (socket: Socket) => void) => Promise<number>;
  readonly echoPort: number;
  /** A network between the command line and the hub. */
  readonly network: FailingNetwork;
}

const test = base.extend<Parts>({
  service: async ({}, use) => {
    const services: Service[] = [];
    await use(async (onConnection) => {
      const service = await serve(onConnection);
      services.push(service);
      return service.port;
    });
    for (const service of services) await service.close();
  },
  echoPort: async ({}, use) => {
    const echo = await serveEcho();
    await use(echo.port);
    await echo.close();
  },
  network: async ({ hub }, use) => {
    const network = new FailingNetwork(Number(new URL(hub.url).port));
    await network.mend();
    await use(network);
    await network.cut();
  },
});

const sizeMiB = 256;

/** So many different mebibytes. */
function* mebibytes(count: number): Generator<Buffer> {
  const block = randomBytes(1_048_576);
  for (let index = 0; index < count; index += 1) {
    block.writeUInt32BE(index);
    yield Buffer.from(block);
  }
}

async function echoes(port: number, words: string): Promise<void> {
  const socket = await dial(port);
  socket.end(words);
  expect(String((await rest(socket)).bytes)).toBe(words);
}

test('bytes go to a TCP port of the device and back, each direction with an end of its own', async ({
  service,
  forward,
}) => {
  const port = await service((socket) => {
    const chunks: Buffer[] = [];
    // Answers only behind the end of the question.
    socket.on('data', (chunk) => chunks.push(chunk)).on('end', () => socket.end(Buffer.concat(chunks)));
  });
  const { localPorts } = await forward([port]);
  await echoes(localPorts[0] ?? 0, 'over the fence');
});

test('an end that comes first from the device leaves the other direction open', async ({
  service,
  forward,
}) => {
  const heard = Promise.withResolvers<string>();
  const port = await service((socket) => {
    socket.end('all said');
    void rest(socket).then(({ bytes }) => heard.resolve(String(bytes)));
  });
  const { localPorts } = await forward([port]);
  const socket = await dial(localPorts[0] ?? 0);
  expect(String((await rest(socket)).bytes)).toBe('all said');
  socket.end('and this as well');
  expect(await heard.promise).toBe('and this as well');
});

test(`${sizeMiB} MiB come out as they went in, either way`, async ({ service, forward }) => {
  test.setTimeout(600_000);
  const sent = Promise.withResolvers<string>();
  const received = Promise.withResolvers<{ sha256: string; sizeBytes: number }>();
  const source = await service((socket) => void sendAll(socket, mebibytes(sizeMiB)).then(sent.resolve));
  const sink = await service((socket) => {
    void digestOf(socket).then((digest) => {
      received.resolve(digest);
      socket.end('taken');
    });
  });
  const { localPorts, stop, output } = await forward([source, sink]);
  const down = await digestOf(await dial(localPorts[0] ?? 0));
  expect(down).toEqual({ sha256: await sent.promise, sizeBytes: sizeMiB * 1_048_576 });
  const socket = await dial(localPorts[1] ?? 0);
  const sha256 = await sendAll(socket, mebibytes(sizeMiB));
  expect(await received.promise).toEqual({ sha256, sizeBytes: sizeMiB * 1_048_576 });
  expect(String((await rest(socket)).bytes)).toBe('taken');
  expect(await stop()).toBe(0);
  expect(output()).toContain(`1 connection, 0 B sent, ${sizeMiB}.0 MiB received`);
  expect(output()).toContain(`1 connection, ${sizeMiB}.0 MiB sent, 5 B received`);
});

test('a hundred connections at once share one link, whatever it has room for', async ({
  echoPort,
  forward,
}) => {
  const { localPorts, output } = await forward([echoPort]);
  const payload = randomBytes(20_000);
  const answers = Array.from({ length: 100 }, async () => {
    const socket = await dial(localPorts[0] ?? 0);
    socket.end(payload);
    return (await rest(socket)).bytes.equals(payload);
  });
  expect(await Promise.all(answers), output()).not.toContain(false);
  expect(output()).not.toContain('refused');
});

test('a reader that stalls holds up its own sender and nobody else', async ({
  service,
  echoPort,
  forward,
}) => {
  let writtenBytes = 0;
  const flood = await service((socket) => {
    const block = Buffer.alloc(65_536);
    const more = (): void => {
      while (!socket.destroyed && writtenBytes < 512 * 1_048_576) {
        writtenBytes += block.length;
        if (!socket.write(block)) return void socket.once('drain', more);
      }
    };
    more();
  });
  const { localPorts } = await forward([flood, echoPort]);
  const stalled = await dial(localPorts[0] ?? 0);
  stalled.pause();
  let before = -1;
  await expect
    .poll(
      () => {
        const isStill = before === writtenBytes && writtenBytes > 0;
        before = writtenBytes;
        return isStill;
      },
      { intervals: [1_000], timeout: 40_000 },
    )
    .toBe(true);
  expect(writtenBytes).toBeLessThan(64 * 1_048_576);
  await echoes(localPorts[1] ?? 0, 'still here');
  stalled.destroy();
});

test('a program of the device that resets its connection is heard as a reset, and the forwarding goes on', async ({
  service,
  echoPort,
  forward,
}) => {
  const port = await service((socket) => socket.once('data', () => socket.resetAndDestroy()));
  const { localPorts, seen } = await forward([port, echoPort]);
  const socket = await dial(localPorts[0] ?? 0);
  socket.write('hello');
  expect((await rest(socket)).isWhole).toBe(false);
  await seen(new RegExp(`^A connection to port ${port} broke off: read ECONNRESET\\.$`));
  await echoes(localPorts[1] ?? 0, 'still here');
});

test('a port where nothing listens is told with its reason, and the forwarding goes on', async ({
  echoPort,
  forward,
}) => {
  const port = await closedPort();
  const { localPorts, seen } = await forward([port, echoPort]);
  expect(await rest(await dial(localPorts[0] ?? 0))).toEqual({ bytes: Buffer.alloc(0), isWhole: false });
  await seen(
    new RegExp(
      `^A connection to port ${port} was refused: connection refused: nothing listens on port ${port} of the device\\.$`,
    ),
  );
  await echoes(localPorts[1] ?? 0, 'still here');
});

test('a device that leaves and comes back: its connections are refused with the reason, then taken again', async ({
  connected,
  echoPort,
  forward,
}) => {
  const { localPorts, seen } = await forward([echoPort]);
  await connected.agent.stop();
  expect((await rest(await dial(localPorts[0] ?? 0))).isWhole).toBe(false);
  await seen(new RegExp(`^A connection to port ${echoPort} was refused: device not connected\\.$`));
  const again = connected.device.run();
  await again.connected();
  await echoes(localPorts[0] ?? 0, 'back');
});

test('a device that is away is said at once, and a taken port ends it', async ({
  cliEnv,
  connected,
  echoPort,
}) => {
  await connected.agent.stop();
  const program = startForward(cliEnv, connected.deviceId, `${echoPort}:80`);
  await program.seen(/is not connected now: until it is, connections are refused\.$/);
  await program.seen(new RegExp(`^Port ${echoPort} of this machine is taken by another program\\.$`));
  await once(program.process, 'exit');
  expect(program.process.exitCode).toBe(1);
});

test('a link that is cut breaks off what was open, comes back, and takes new connections', async ({
  echoPort,
  forward,
  network,
}) => {
  const { localPorts, seen } = await forward([echoPort], { CORRAL_URL: `http://127.0.0.1:${network.port}` });
  const socket = await dial(localPorts[0] ?? 0);
  socket.write('half');
  await once(socket, 'data');
  await network.cut();
  expect((await rest(socket)).isWhole).toBe(false);
  await seen(/^There is no link to the hub: the connection was lost\. Trying again in 1 s\.$/);
  // Who connects meanwhile waits for the link.
  const waiting = echoes(localPorts[0] ?? 0, 'patience');
  await seen(
    /^There is no link to the hub: .* cannot be reached: nothing listens there\. Trying again in \d s\.$/,
  );
  await network.mend();
  await seen(/^The link to the hub is back\.$/);
  await waiting;
  await echoes(localPorts[0] ?? 0, 'as before');
});

test('a hub that asks for time gets it', async ({ echoPort, forward, network }) => {
  const { localPorts, seen } = await forward([echoPort], { CORRAL_URL: `http://127.0.0.1:${network.port}` });
  const body = JSON.stringify({ kind: 'Internal', message: 'The hub is starting.' });
  network.answer = `HTTP/1.1 503 Later\r\nRetry-After: 3\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`;
  await network.cut();
  await network.mend();
  await seen(/^There is no link to the hub: The hub is starting\. Trying again in [3-7] s\.$/);
  const arrivals = network.arrivals;
  network.answer = undefined;
  await seen(/^The link to the hub is back\.$/);
  expect(network.arrivals).toBe(arrivals + 1);
  await echoes(localPorts[0] ?? 0, 'at last');
});

test('a hub that restarts, and a token that is taken away', async ({ devices, echoPort }) => {
  test.setTimeout(120_000);
  const dataDir = await newDataDir();
  let hub: HubProcess = await startHubProcess(dataDir);
  try {
    const operator = await signInByApi(hub);
    const project = await newProject(operator);
    const agent = (await devices.make(hub, (await newToken(operator, project)).token)).run();
    const { deviceId } = await agent.connected();
    const made = await operator.invoke('users_CreateUserToken', { userId: operator.userId, name: 'cli' });
    const program = startForward(
      { CORRAL_URL: hub.url, CORRAL_TOKEN: made.token },
      deviceId,
      `0:${echoPort}`,
    );
    const [, localPort] = await program.seen(/^127\.0\.0\.1:(\d+) leads to port/);
    await echoes(Number(localPort), 'before');
    await hub.stop();
    await program.seen(/^There is no link to the hub: the hub ended the connection: the hub is stopping\./);
    hub = await startHubProcess(dataDir, { CORRAL_PORT: new URL(hub.url).port });
    await program.seen(/^The link to the hub is back\.$/);
    await agent.connectedAgain();
    await echoes(Number(localPort), 'after');
    const session = await signInByApi(hub);
    await session.invoke('users_DeleteUserToken', { tokenId: made.tokenId });
    await program.seen(/^The token is unknown\.$/);
    await once(program.process, 'exit');
    expect(program.process.exitCode).toBe(3);
    expect(program.output()).not.toContain(made.token);
  } finally {
    await hub.stop();
    await removeDataDir(dataDir);
  }
});

test('permission that is lost: what is open is broken off, and what comes is refused', async ({
  hub,
  operator,
  project,
  connected,
  cliEnv,
  echoPort,
}) => {
  const member = await newUser(operator);
  const session = await signInByApi(hub, member);
  const { projectId } = project;
  await operator.invoke('projects_AddProjectMember', { projectId, userId: member.userId, isOwner: false });
  const { token } = await session.invoke('users_CreateUserToken', { userId: member.userId, name: 'cli' });
  const program = startForward({ ...cliEnv, CORRAL_TOKEN: token }, connected.deviceId, `0:${echoPort}`);
  const [, localPort] = await program.seen(/^127\.0\.0\.1:(\d+) leads to port/);
  const socket = await dial(Number(localPort));
  socket.write('hello');
  await once(socket, 'data');
  await operator.invoke('projects_RemoveProjectMember', { projectId, userId: member.userId });
  expect((await rest(socket)).isWhole).toBe(false);
  await program.seen(/broke off: permission denied\.$/);
  await dial(Number(localPort)).then(rest);
  await program.seen(/was refused: permission denied\.$/);
  expect(await program.stop()).toBe(0);
});

test('for programs, what happens is an object a line', async ({ cliEnv, connected, echoPort }) => {
  const port = await closedPort();
  const program = startForward(cliEnv, '--json', connected.deviceId, `0:${echoPort}`, `0:${port}`);
  const { input: first } = await program.seen(/"listening"/);
  const { input: second } = await program.seen(/"listening"/, 2);
  const { localPort } = JSON.parse(first) as { localPort: number };
  await program.seen(/"connected"/);
  await echoes(localPort, 'four');
  await dial((JSON.parse(second) as { localPort: number }).localPort).then(rest);
  const problem = JSON.parse((await program.seen(/"problem"/)).input) as object;
  expect(problem).toMatchObject({ devicePort: port, message: expect.stringContaining('nothing listens') });
  expect(await program.stop('SIGINT')).toBe(0);
  const ended = program
    .output()
    .split('\n')
    .map((line) => JSON.parse(line) as object)
    .filter((event) => 'sentBytes' in event);
  expect(ended[0]).toEqual({
    event: 'ended',
    localPort,
    devicePort: echoPort,
    connections: 1,
    sentBytes: 4,
    receivedBytes: 4,
  });
});
