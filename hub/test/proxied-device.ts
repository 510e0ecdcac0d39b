import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request as httpRequest, type IncomingMessage, type RequestListener } from 'node:http';
import {
  connect,
  createServer as createTcpServer,
  type AddressInfo,
  type Server,
  type Socket,
} from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CallInput, Id } from '@corral/contract';
import { vi } from 'vitest';
import type { ProxyLimits } from '../src/proxy/limits.ts';
import { bothDoors, type BothDoors } from './both-doors.ts';

const launcher = fileURLToPath(new URL('../../agent/bin/corral-agent.cjs', import.meta.url));
const password = 'quiet harbour lantern 7';

/** An answer of the proxy as it came over the socket. */
export interface ProxyAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly rawHeaders: readonly string[];
  readonly text: string;
}

interface Ask {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Buffer;
  /** None: the cookie of the way in is left out. */
  readonly isStranger?: boolean;
}

/** One port of the device as a browser reaches it: its host name, and the cookie of a member who came in. */
export interface ProxiedPort {
  readonly host: string;
  readonly cookie: string;
  /** Asks and reads the answer to its end. */
  ask(path: string, options?: Ask): Promise<ProxyAnswer>;
  /** Asks and hands over the answer before its body. */
  open(path: string, options?: Ask): Promise<IncomingMessage>;
  /** A plain connection to the hub, to write whatever one likes. */
  socket(): Promise<Socket>;
}

/** A hub with a device whose agent runs as a process of its own, and a member of its project. */
export interface ProxiedDevice extends AsyncDisposable {
  readonly doors: BothDoors;
  readonly deviceId: Id<'device'>;
  readonly projectId: Id<'project'>;
  readonly member: Person;
  readonly owner: Person;
  readonly agent: ChildProcess;
  /** Serves HTTP on the device and answers the port. */
  serve(listener: RequestListener): Promise<number>;
  /** Has a server listen on the device and answers the port. */
  adopt(server: Server): Promise<number>;
  /** Serves raw bytes on the device and answers the port. */
  serveRaw(onConnection: (socket: Socket) => void): Promise<number>;
  /** The address that a person gets for a port. */
  issue(who: Person, more?: Partial<CallInput<'devices_IssueDeviceHttpProxyToken'>>): Promise<URL>;
  /** Lets the member come in at a port. */
  enter(port: number): Promise<ProxiedPort>;
  /** Comes in by an address. */
  enterBy(url: URL): Promise<ProxiedPort>;
  /** Asks the hub under a host name, without any cookie. */
  ask(host: string, path: string, options?: Ask): Promise<ProxyAnswer>;
}

/** Somebody who is signed in. */
export interface Person {
  readonly userId: Id<'user'>;
  readonly email: string;
  /** The cookie of the console. */
  readonly cookie: string;
}

/** Starts it all and waits until the device is connected. */
export async function proxiedDevice(limits: Partial<ProxyLimits> = {}): Promise<ProxiedDevice> {
  const doors = await bothDoors(limits);
  const { hub } = doors;
  const owner = await newPerson(doors, 'owner@example.org');
  const member = await newPerson(doors, 'member@example.org');
  const asOwner = { actor: { actor: 'User', kind: 'User', userId: owner.userId }, origin: {} } as const;
  const { projectId } = await hub.executor.invoke(asOwner, 'projects_CreateProject', { name: 'Plant' });
  await hub.executor.invoke(asOwner, 'projects_AddProjectMember', { projectId, userId: member.userId });
  const { token } = await hub.executor.invoke(asOwner, 'projects_CreateDeploymentToken', {
    projectId,
    name: 'line',
    flags: { autoAccept: true },
  });
  const stateDir = await mkdtemp(join(tmpdir(), 'corral-proxied-'));
  const agent = startAgent(hub.url, token, stateDir);
  const deviceId = await connectedDevice(doors, projectId, asOwner);
  const servers: Server[] = [];
  const port = Number(new URL(hub.url).port);
  const ask: ProxiedDevice['ask'] = (host, path, options) => send(port, host, path, options).then(readWhole);

  const issue: ProxiedDevice['issue'] = async (who, more = {}) => {
    const answer = await hub.invoke(
      'devices_IssueDeviceHttpProxyToken',
      { deviceId, ...more },
      { cookie: who.cookie },
    );
    if (answer.status !== 200) throw new Error(answer.text);
    return new URL(String(answer.json['url']));
  };
  const enterBy = async (url: URL): Promise<ProxiedPort> => {
    const answer = await ask(url.host, url.pathname + url.search);
    const cookie = answer.headers['set-cookie']?.[0]?.split(';')[0];
    if (answer.status !== 303 || cookie === undefined) throw new Error(`${answer.status} ${answer.text}`);
    return proxiedPort(port, url.host, cookie);
  };
  const listen = async (server: Server): Promise<number> => {
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  return {
    doors,
    deviceId,
    projectId,
    owner,
    member,
    agent,
    ask,
    issue,
    enterBy,
    enter: async (devicePort) => enterBy(await issue(member, { port: devicePort })),
    adopt: listen,
    serve: (listener) => listen(createServer({ requestTimeout: 0 }, listener)),
    serveRaw: (onConnection) => listen(createTcpServer({ allowHalfOpen: true }, onConnection)),
    async [Symbol.asyncDispose]() {
      agent.kill('SIGKILL');
      for (const server of servers) {
        server.close();
        if ('closeAllConnections' in server)
          (server as ReturnType<typeof createServer>).closeAllConnections();
      }
      await doors[Symbol.asyncDispose]();
      await rm(stateDir, { recursive: true, force: true });
    },
  };
}

async function newPerson({ hub }: BothDoors, email: string): Promise<Person> {
  const { userId } = await hub.user(email, { password });
  return { userId: userId as Id<'user'>, email, cookie: await hub.signIn(email, password) };
}

function startAgent(hubUrl: string, token: string, stateDir: string): ChildProcess {
  return spawn(process.execPath, [launcher, 'run'], {
    env: {
      PATH: process.env['PATH'],
      HOME: '/nonexistent',
      CORRAL_AGENT_HUB_URL: hubUrl,
      CORRAL_AGENT_TOKEN: token,
      CORRAL_AGENT_STATE: stateDir,
    },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
}

function connectedDevice(
  { hub }: BothDoors,
  projectId: Id<'project'>,
  caller: Parameters<typeof hub.executor.invoke>[0],
): Promise<Id<'device'>> {
  return vi.waitFor(
    async () => {
      const { devices } = await hub.executor.invoke(caller, 'projects_QueryProjectDevices', { projectId });
      const device = devices.find(({ isConnected }) => isConnected);
      if (device === undefined) throw new Error('not connected yet');
      return device.deviceId as Id<'device'>;
    },
    { timeout: 20_000, interval: 50 },
  );
}

function proxiedPort(port: number, host: string, cookie: string): ProxiedPort {
  const withCookie = ({ headers = {}, isStranger = false, ...rest }: Ask = {}): Ask => ({
    ...rest,
    headers: isStranger
      ? headers
      : { ...headers, cookie: [cookie, headers['cookie']].filter((one) => one !== undefined).join('; ') },
  });
  return {
    host,
    cookie,
    ask: (path, options) => send(port, host, path, withCookie(options)).then(readWhole),
    open: (path, options) => send(port, host, path, withCookie(options)),
    async socket() {
      const socket = connect({ host: '127.0.0.1', port });
      await once(socket, 'connect');
      return socket;
    },
  };
}

function send(
  port: number,
  host: string,
  path: string,
  { method = 'GET', headers = {}, body }: Ask = {},
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { host: '127.0.0.1', port, path, method, headers: { host, ...headers }, agent: false },
      resolve,
    );
    request.on('error', reject);
    request.end(body);
  });
}

/** Reads an answer to its end. Rejected when it breaks off. */
async function readWhole(answer: IncomingMessage): Promise<ProxyAnswer> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  return {
    status: answer.statusCode ?? 0,
    headers: answer.headers,
    rawHeaders: answer.rawHeaders,
    text: Buffer.concat(chunks).toString(),
  };
}
