import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { randomBytes } from 'node:crypto';
import { runProgram, startProgram, type Program } from '../fixtures/program.ts';
import { expect, test as base } from '../fixtures/test.ts';

const launcher = fileURLToPath(new URL('../../cli/bin/corral.cjs', import.meta.url));

interface Parts {
  /** The environment of a command line that acts in the name of the administrator. */
  readonly cliEnv: Record<string, string>;
  /** Runs `corral` to its end. */
  readonly corral: (...args: string[]) => ReturnType<typeof runProgram>;
  /** A TCP server on loopback that sends back what it gets and ends when the other side does; its port. */
  readonly echoPort: number;
  /** Forwards a local port to the connected device, and answers the local port. */
  readonly forward: (devicePort: number) => Promise<number>;
}

const test = base.extend<Parts>({
  cliEnv: async ({ hub, operator }, use) => {
    const made = await operator.invoke('users_CreateUserToken', { userId: operator.userId, name: 'cli' });
    await use({ CORRAL_HUB_URL: hub.url, CORRAL_USER_TOKEN: made.token });
  },
  corral: async ({ cliEnv }, use) =>
    use((...args) => runProgram(process.execPath, [launcher, ...args], { env: cliEnv })),
  echoPort: async ({}, use) => {
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      socket.on('error', () => socket.destroy());
      socket.pipe(socket);
    });
    await use(await listen(server));
    server.close();
  },
  forward: async ({ cliEnv, connected }, use) => {
    const programs: Program[] = [];
    await use(async (devicePort) => {
      const args = [launcher, 'forward', connected.deviceId, `0:${devicePort}`];
      const program = startProgram(process.execPath, args, { env: cliEnv });
      programs.push(program);
      const [, port] = await program.seen(/^127\.0\.0\.1:(\d+) leads to port/);
      return Number(port);
    });
    for (const program of programs) expect(await program.stop()).toBe(0);
  },
});

test('`corral actions execute` prints the output of an action as JSON', async ({ corral, project }) => {
  const { code, stdout } = await corral('actions', 'execute', 'projects_QueryProjects');
  expect(code).toBe(0);
  expect(JSON.parse(stdout).projects).toContainEqual({ projectId: project.projectId, name: project.name });
  const details = await corral(
    'actions',
    'execute',
    'projects_GetProjectDetails',
    JSON.stringify({ projectId: project.projectId }),
  );
  expect(JSON.parse(details.stdout)).toMatchObject({ name: project.name, deviceCount: 0 });
});

test('what the hub refuses is one line, `Kind: message`, and exit 1', async ({ corral }) => {
  const foreign = await corral('actions', 'execute', 'projects_GetProjectDetails', '{"projectId":"p_1"}');
  expect(foreign.code).toBe(1);
  expect(foreign.stderr).toMatch(/^Invalid: .+\n$/);
  const unknown = await corral('actions', 'execute', 'projects_Dance');
  expect(unknown).toMatchObject({ code: 1, stderr: 'There is no action projects_Dance.\n' });
  const json = await corral('actions', 'execute', 'projects_QueryProjects', '{');
  expect(json).toMatchObject({ code: 1, stderr: 'The input is not valid JSON.\n' });
});

test('`corral forward` carries bytes to a TCP port of the device and back, with half-close', async ({
  echoPort,
  forward,
}) => {
  const socket = await open(await forward(echoPort));
  socket.end('over the fence');
  expect(String(await rest(socket))).toBe('over the fence');
});

test('1 MiB goes both ways at once through the hub, unchanged', async ({ echoPort, forward }) => {
  const localPort = await forward(echoPort);
  const sent = randomBytes(1_048_576);
  const sockets = await Promise.all([open(localPort), open(localPort)]);
  for (const socket of sockets) socket.end(sent);
  for (const received of await Promise.all(sockets.map(rest))) expect(received.equals(sent)).toBe(true);
});

test('a port where nothing listens closes without a byte, and the forwarding goes on', async ({
  echoPort,
  forward,
}) => {
  const closed = createServer();
  const closedPort = await listen(closed);
  closed.close();
  const socket = await open(await forward(closedPort));
  expect(await rest(socket)).toHaveLength(0);
  const other = await open(await forward(echoPort));
  other.end('still here');
  expect(String(await rest(other))).toBe('still here');
});

test('a device that is not connected cannot be forwarded to', async ({ forward, connected, echoPort }) => {
  const localPort = await forward(echoPort);
  await connected.agent.stop();
  const socket = await open(localPort);
  expect(await rest(socket)).toHaveLength(0);
});

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function open(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  await once(socket, 'connect');
  return socket;
}

/** All that comes until the other side ends; a connection that breaks ends too. */
async function rest(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await new Promise<void>((resolve) =>
    socket
      .once('end', resolve)
      .once('close', () => resolve())
      .once('error', () => resolve()),
  );
  socket.destroy();
  return Buffer.concat(chunks);
}
