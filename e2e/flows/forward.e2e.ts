import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { startForward } from '../fixtures/command-line.ts';
import { startDroppingProxy } from '../fixtures/dropping-proxy.ts';
import { Conversation } from '../fixtures/conversation.ts';
import { echoes, expect, test } from '../fixtures/forwarded-port.ts';
import { newProject, newToken, newUser, signInByApi } from '../fixtures/operator.ts';
import { closedPort, dial, digestOf, readToEnd, sendAll } from '../fixtures/sockets.ts';

/** `npm run test:deep` sends more. */
const sizeMiB = process.env['CORRAL_TEST_DEPTH'] === 'deep' ? 256 : 32;

/** Random data of this many mebibytes. */
function* mebibytes(count: number): Generator<Buffer> {
  const block = randomBytes(1_048_576);
  for (let index = 0; index < count; index += 1) {
    block.writeUInt32BE(index);
    yield Buffer.from(block);
  }
}

test('bytes pass to a TCP port of the device and back, and each direction ends separately', async ({
  service,
  forward,
}) => {
  const port = await service((socket) => {
    const chunks: Buffer[] = [];
    // Answers only after the end of the request.
    socket.on('data', (chunk) => chunks.push(chunk)).on('end', () => socket.end(Buffer.concat(chunks)));
  });
  const { localPorts } = await forward([port]);
  await echoes(localPorts[0] ?? 0, 'over the link');
});

test('when the device ends its direction first, the other direction stays open', async ({
  service,
  forward,
}) => {
  const received = Promise.withResolvers<string>();
  const port = await service((socket) => {
    socket.end('all said');
    void readToEnd(socket).then(({ bytes }) => received.resolve(String(bytes)));
  });
  const { localPorts } = await forward([port]);
  const socket = await dial(localPorts[0] ?? 0);
  expect(String((await readToEnd(socket)).bytes)).toBe('all said');
  socket.end('and this as well');
  expect(await received.promise).toBe('and this as well');
});

test(`${sizeMiB} MiB arrive unchanged in each direction`, async ({ service, forward }) => {
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
  expect(String((await readToEnd(socket)).bytes)).toBe('taken');
  expect(await stop()).toBe(0);
  expect(output()).toContain(`1 connection, 0 B sent, ${sizeMiB}.0 MiB received`);
  expect(output()).toContain(`1 connection, ${sizeMiB}.0 MiB sent, 5 B received`);
});

test('a hundred connections at once share one link', async ({ echoPort, forward }) => {
  const { localPorts, output } = await forward([echoPort]);
  const payload = randomBytes(20_000);
  const answers = Array.from({ length: 100 }, async () => {
    const socket = await dial(localPorts[0] ?? 0);
    socket.end(payload);
    return (await readToEnd(socket)).bytes.equals(payload);
  });
  expect(await Promise.all(answers), output()).not.toContain(false);
  expect(output()).not.toContain('refused');
});

test('a stalled reader blocks its own sender and no other connection', async ({
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
      { intervals: [500] },
    )
    .toBe(true);
  expect(writtenBytes).toBeLessThan(64 * 1_048_576);
  await echoes(localPorts[1] ?? 0, 'still here');
  stalled.destroy();
});

test('a reset by a program of the device arrives as a reset, and forwarding continues', async ({
  service,
  echoPort,
  forward,
}) => {
  const port = await service((socket) => socket.once('data', () => socket.resetAndDestroy()));
  const { localPorts, waitForLine } = await forward([port, echoPort]);
  const socket = await dial(localPorts[0] ?? 0);
  socket.write('hello');
  expect((await readToEnd(socket)).isWhole).toBe(false);
  await waitForLine(new RegExp(`^A connection to port ${port} broke off: read ECONNRESET\\.$`));
  await echoes(localPorts[1] ?? 0, 'still here');
});

test('a port where nothing listens is refused with the reason, and forwarding continues', async ({
  echoPort,
  forward,
}) => {
  const port = await closedPort();
  const { localPorts, waitForLine } = await forward([port, echoPort]);
  expect(await readToEnd(await dial(localPorts[0] ?? 0))).toEqual({ bytes: Buffer.alloc(0), isWhole: false });
  await waitForLine(
    new RegExp(
      `^A connection to port ${port} was refused: nothing listens on port ${port} of the device\\.$`,
    ),
  );
  await echoes(localPorts[1] ?? 0, 'still here');
});

test('while the device is disconnected, connections are refused with the reason; after it reconnects they work', async ({
  connected,
  echoPort,
  forward,
}) => {
  const { localPorts, waitForLine } = await forward([echoPort]);
  await connected.agent.stop();
  expect((await readToEnd(await dial(localPorts[0] ?? 0))).isWhole).toBe(false);
  await waitForLine(new RegExp(`^A connection to port ${echoPort} was refused: device not connected\\.$`));
  const again = connected.device.run();
  await again.connected();
  await echoes(localPorts[0] ?? 0, 'back');
});

test('a disconnected device is reported at once, and a taken local port ends the command', async ({
  cliEnv,
  connected,
  echoPort,
}) => {
  await connected.agent.stop();
  const program = startForward(cliEnv, connected.deviceId, `${echoPort}:80`);
  await program.waitForLine(/is not connected now: until it is, connections are refused\.$/);
  await program.waitForLine(new RegExp(`^Port ${echoPort} of this machine is taken by another program\\.$`));
  await once(program.process, 'exit');
  expect(program.process.exitCode).toBe(1);
});

test('the command line waits as long as Retry-After of the hub says', async ({
  echoPort,
  forward,
  network,
}) => {
  const { localPorts, waitForLine } = await forward([echoPort], {
    CORRAL_URL: `http://127.0.0.1:${network.port}`,
  });
  // The program ends when its first attempt to connect fails; it tries again once it has had a link.
  await echoes(localPorts[0] ?? 0, 'at first');
  const body = JSON.stringify({ kind: 'Internal', message: 'The hub is starting.' });
  network.answer = `HTTP/1.1 503 Later\r\nRetry-After: 3\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`;
  await network.cut();
  await network.restore();
  await waitForLine(/^There is no link to the hub: the hub is starting\. Trying again in [3-7] s\.$/);
  const connectionCount = network.connectionCount;
  network.answer = undefined;
  await waitForLine(/^The link to the hub is back\.$/);
  expect(network.connectionCount).toBe(connectionCount + 1);
  await echoes(localPorts[0] ?? 0, 'at last');
});

test('a forward survives a restart of the hub and ends when its token is deleted', async ({
  startHub,
  devices,
  echoPort,
}) => {
  const hub = await startHub();
  const operator = await signInByApi(hub);
  const project = await newProject(operator);
  const agent = (await devices.make(hub, (await newToken(operator, project)).token)).run();
  const { deviceId } = await agent.connected();
  const { token, tokenId } = await operator.invoke('users_CreateUserToken', {
    userId: operator.userId,
    name: 'cli',
  });
  const program = startForward({ CORRAL_URL: hub.url, CORRAL_TOKEN: token }, deviceId, `0:${echoPort}`);
  const [, localPort] = await program.waitForLine(/^127\.0\.0\.1:(\d+) leads to port/);
  const conversation = await Conversation.start(Number(localPort));
  await expect.poll(() => conversation.blocks).toBeGreaterThan(0);
  await hub.stop();
  await program.waitForLine(
    /^There is no link to the hub: the hub ended the connection: the hub is stopping\./,
  );
  await startHub({ CORRAL_PORT: new URL(hub.url).port }, hub.dataDir);
  await program.waitForLine(/^The link to the hub is back\.$/);
  await agent.connectedAgain();
  const before = conversation.blocks;
  await expect.poll(() => conversation.blocks).toBeGreaterThan(before);
  expect(await conversation.stop()).toBeUndefined();
  await echoes(Number(localPort), 'after');
  const session = await signInByApi(hub);
  await session.invoke('users_DeleteUserToken', { tokenId });
  await program.waitForLine(/^The token is unknown\.$/);
  await once(program.process, 'exit');
  expect(program.process.exitCode).toBe(3);
  expect(program.output()).not.toContain(token);
});

test('after the user loses access, open connections are closed and new ones refused', async ({
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
  const [, localPort] = await program.waitForLine(/^127\.0\.0\.1:(\d+) leads to port/);
  const socket = await dial(Number(localPort));
  socket.write('hello');
  await once(socket, 'data');
  await operator.invoke('projects_RemoveProjectMember', { projectId, userId: member.userId });
  expect((await readToEnd(socket)).isWhole).toBe(false);
  await program.waitForLine(/broke off: permission denied\.$/);
  await dial(Number(localPort)).then(readToEnd);
  await program.waitForLine(/was refused: permission denied\.$/);
  expect(await program.stop()).toBe(0);
});

test('with --json each event is a JSON object on a line of its own', async ({
  cliEnv,
  connected,
  echoPort,
}) => {
  const port = await closedPort();
  const program = startForward(cliEnv, '--json', connected.deviceId, `0:${echoPort}`, `0:${port}`);
  const { input: first } = await program.waitForLine(/"listening"/);
  const { input: second } = await program.waitForLine(/"listening"/, 2);
  const { localPort } = JSON.parse(first) as { localPort: number };
  await program.waitForLine(/"connected"/);
  await echoes(localPort, 'four');
  await dial((JSON.parse(second) as { localPort: number }).localPort).then(readToEnd);
  const problem = JSON.parse((await program.waitForLine(/"problem"/)).input) as object;
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

test('both programs say that a proxy on the way drops the Upgrade header', async ({
  hub,
  cliEnv,
  connected,
  devices,
  operator,
  project,
}) => {
  await using proxy = await startDroppingProxy(hub);
  const sentence =
    'The request arrived without its Upgrade header: a proxy between this program and the hub drops it. Let it pass WebSockets on.';
  const { token } = await newToken(operator, project);
  const device = await devices.make(proxy, token);
  expect(await device.attempt('device', 'id')).toEqual({ code: 1, stdout: '', stderr: `${sentence}\n` });
  const forwarding = startForward({ ...cliEnv, CORRAL_URL: proxy.url }, connected.deviceId, '0:80');
  await forwarding.waitForLine(/drops it/);
  expect(forwarding.output()).toContain(sentence.slice(0, -1));
  await forwarding.stop();
});
