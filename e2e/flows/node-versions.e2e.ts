import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newToken } from '../fixtures/operator.ts';
import { writePublication } from '../fixtures/publication.ts';
import { runProgram, startProgram, type Outcome, type Program } from '../fixtures/program.ts';
import { dial, digestOf, sendAll, serve, type Service } from '../fixtures/sockets.ts';
import { expect, test as base } from '../fixtures/test.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const agentBundle = join(root, 'agent/dist/corral-agent.mjs');
const cliBundle = join(root, 'cli/dist/corral.mjs');

/** `npm test` installs these versions, see `tools/old-nodes.ts`. */
const oldNodes = process.env['CORRAL_OLD_NODES'] ?? join(root, 'node_modules/.cache/old-nodes/node_modules');

/** The oldest Node.js that the documentation supports, and the oldest version of the next major, which only `npm run test:deep` runs. The packages exist only for Linux on x64. */
const nodeVersions = [
  { version: 'v20.0.0', node: join(oldNodes, 'node-20/bin/node'), tag: [] },
  { version: 'v22.0.0', node: join(oldNodes, 'node-22/bin/node'), tag: '@deep' },
];

/** The built programs on one version of Node.js. */
interface BuiltPrograms {
  agentEnv: Record<string, string>;
  /** Runs the built agent to its end. */
  agent(...args: string[]): Promise<Outcome>;
  /** Starts `corral-agent run` and waits until it is connected. */
  runAgent(): Promise<{ program: Program; deviceId: `d_${string}` }>;
  /** Starts the built `corral`. */
  startCorral(...args: string[]): Program;
  /** Runs the built `corral --json` and returns what it printed. */
  corralJson(...args: string[]): Promise<unknown>;
}

const test = base.extend<{ node: string; programs: BuiltPrograms }>({
  node: ['', { option: true }],
  programs: async ({ node, hub, operator, project, folder }, use) => {
    const running: Program[] = [];
    const { token } = await newToken(operator, project);
    const user = await operator.invoke('users_CreateUserToken', { userId: operator.userId, name: 'cli' });
    const agentEnv = {
      CORRAL_AGENT_HUB_URL: hub.url,
      CORRAL_AGENT_TOKEN: token,
      CORRAL_AGENT_STATE: join(folder, 'state'),
    };
    const cliEnv = { CORRAL_URL: hub.url, CORRAL_TOKEN: user.token, HOME: folder };
    const start = (file: string, args: string[], env: Record<string, string>): Program => {
      const program = startProgram(node, [file, ...args], { env });
      running.push(program);
      return program;
    };
    await use({
      agentEnv,
      agent: (...args) => runProgram(node, [agentBundle, ...args], { env: agentEnv }),
      async runAgent() {
        const program = start(agentBundle, ['--log-format', 'json', 'run'], agentEnv);
        const [, deviceId = ''] = await program.waitForLine(/connected to .* as (d_\w+)/);
        return { program, deviceId: deviceId as `d_${string}` };
      },
      startCorral: (...args) => start(cliBundle, args, cliEnv),
      async corralJson(...args) {
        const { code, stdout, stderr } = await runProgram(node, [cliBundle, '--json', ...args], {
          env: cliEnv,
        });
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
        return JSON.parse(stdout);
      },
    });
    await Promise.all(running.map((program) => program.stop('SIGKILL')));
  },
});

const sizeBytes = 4 * 1_048_576;
const postBytes = 3_000_000;

function* block(): Generator<Buffer> {
  yield randomBytes(sizeBytes);
}

/** A device's web page that answers with the number of bytes it received. */
async function countingSite(): Promise<Service> {
  const server = createServer(async (incoming, response) => {
    let receivedBytes = 0;
    for await (const chunk of incoming) receivedBytes += (chunk as Buffer).length;
    response.end(String(receivedBytes));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

interface Answer {
  readonly status: number;
  readonly cookies: string[];
  readonly body: string;
}

/** Sends a request to the hub with the host name of a device's page, which does not resolve in DNS. */
async function send(url: URL, method: string, headers: Record<string, string>, body = ''): Promise<Answer> {
  const { pathname, search, host, port } = url;
  const outgoing = request({
    host: '127.0.0.1',
    port,
    method,
    path: pathname + search,
    headers: { ...headers, host },
  });
  outgoing.end(body);
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  const cookies = (answer.headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0] ?? '');
  return { status: answer.statusCode ?? 0, cookies, body: Buffer.concat(chunks).toString() };
}

const hasPackages = process.platform === 'linux' && process.arch === 'x64';
if (!hasPackages)
  process.stderr.write('The tests on old versions of Node.js are left out: they need Linux on x64.\n');

for (const { version, node, tag } of hasPackages ? nodeVersions : []) {
  test.describe(`on Node.js ${version}`, { tag }, () => {
    test.use({ node });

    test('the built programs enrol a device, report events, forward 4 MiB each way, take a POST of 3 MB, publish and pull', async ({
      programs,
      operator,
      project,
      folder,
    }) => {
      expect((await runProgram(node, ['--version'])).stdout.trim()).toBe(version);
      const { program, deviceId } = await programs.runAgent();
      expect(await programs.agent('device', 'id')).toEqual({ code: 0, stdout: `${deviceId}\n`, stderr: '' });

      const emitted = await programs.agent('events', 'emit', 'The tank is full', '--severity', 'warning');
      expect(emitted).toMatchObject({ code: 0, stderr: '' });
      expect(JSON.stringify(await programs.corralJson('devices', 'events', deviceId))).toContain(
        'The tank is full',
      );

      const digests: Promise<{ sha256: string; sizeBytes: number }>[] = [];
      const sent: Promise<string>[] = [];
      const service = await serve((socket) => {
        digests.push(digestOf(socket));
        sent.push(sendAll(socket, block()));
      });
      const forward = programs.startCorral('forward', deviceId, `0:${service.port}`);
      const [, localPort] = await forward.waitForLine(/^127\.0\.0\.1:(\d+) leads to port/);
      const socket = await dial(Number(localPort));
      const [received, sha256] = await Promise.all([digestOf(socket), sendAll(socket, block())]);
      expect(received).toEqual({ sha256: await sent[0], sizeBytes });
      expect(await digests[0]).toEqual({ sha256, sizeBytes });
      expect(await forward.stop()).toBe(0);
      await service.close();

      const site = await countingSite();
      const issued = (await programs.corralJson(
        'http-proxy',
        'issue-url',
        deviceId,
        '--port',
        String(site.port),
      )) as { url: string };
      const entered = await send(new URL(issued.url), 'GET', {});
      const cookie = entered.cookies.join('; ');
      const page = new URL('/', issued.url);
      const posted = await send(page, 'POST', { cookie }, 'x'.repeat(postBytes));
      expect(posted).toMatchObject({ status: 200, body: String(postBytes) });
      await site.close();

      const { repository, packagePath, manifest, bytes } = await writePublication(folder, { sizeBytes });
      await programs.corralJson('repositories', 'create', repository);
      expect(await programs.corralJson('publish', manifest)).toMatchObject({ status: 'published' });
      await programs.corralJson('repositories', 'link', repository, project.name);
      const reference = [`${packagePath}@stable`, 'press.img', '--output'];
      await programs.corralJson('pull', ...reference, join(folder, 'by-cli.img'));
      const pulled = await programs.agent('repositories', 'pull', ...reference, join(folder, 'by-agent.img'));
      expect(pulled).toMatchObject({ code: 0, stderr: '' });
      for (const name of ['by-cli.img', 'by-agent.img'])
        expect((await readFile(join(folder, name))).equals(bytes)).toBe(true);

      const device = await operator.invoke('devices_GetDeviceDetails', { deviceId });
      expect(device.isConnected).toBe(true);
      expect(program.output().match(/connected to/g)).toHaveLength(1);
      expect(await program.stop()).toBe(0);
    });

    test('an unexpected exception is one sentence, with the stack only on request', async ({ programs }) => {
      const handled = 'process.listenerCount("uncaughtException") > 0';
      const fault = `data:text/javascript,setInterval(()=>{if(${handled})throw new TypeError("a bug")},20)`;
      for (const [name, bundle, args] of [
        ['corral-agent', agentBundle, ['run']],
        ['corral', cliBundle, ['whoami']],
      ] as const) {
        const run = (env: Record<string, string>) =>
          runProgram(node, ['--import', fault, bundle, ...args], { env: { ...programs.agentEnv, ...env } });
        const plain = await run({});
        expect(plain.code).toBe(1);
        expect(plain.stderr.split('\n')).toContain(`${name} failed: a bug (CORRAL_DEBUG=1 shows where)`);
        expect(plain.stderr).not.toMatch(/^ {4}at /m);
        expect((await run({ CORRAL_DEBUG: '1' })).stderr).toContain('TypeError: a bug\n    at ');
      }
    });
  });
}
