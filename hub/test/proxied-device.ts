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
import type { ProxyLimits } from '../src/entry/proxy/limits.ts';
import { bothTransports, type BothTransports } from './both-transports.ts';
import { system, type HttpHubOptions } from './http-hub.ts';
import { justProved } from './just-proved.ts';

const launcher = fileURLToPath(new URL('../../agent/bin/corral-agent.cjs', import.meta.url));
const password = 'quiet harbour lantern 7';

/** A raw HTTP response of the proxy. */
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
  /** False leaves out the proxy's cookie. */
  readonly isStranger?: boolean;
}

/** One port of the device as a browser reaches it: its host name, and the proxy cookie of a member. */
export interface ProxiedPort {
  readonly host: string;
  readonly cookie: string;
  /** Sends a request and reads the whole response. */
  ask(path: string, options?: Ask): Promise<ProxyAnswer>;
  /** Sends a request and resolves with the response before its body is read. */
  open(path: string, options?: Ask): Promise<IncomingMessage>;
  /** A raw TCP connection to the hub. */
  socket(): Promise<Socket>;
}

/** A hub, a device whose agent runs in its own process, and a member of its project. */
export interface ProxiedDevice extends AsyncDisposable {
  readonly transports: BothTransports;
  readonly deviceId: Id<'device'>;
  readonly projectId: Id<'project'>;
  readonly member: Person;
  readonly owner: Person;
  /** Creates another member of the project. */
  newMember(email: string): Promise<Person>;
  readonly agent: ChildProcess;
  /** Serves HTTP on the device and returns the port. */
  serve(listener: RequestListener): Promise<number>;
  /** Listens with a server on the device and returns the port. */
  adopt(server: Server): Promise<number>;
  /** Serves raw bytes on the device and returns the port. */
  serveRaw(onConnection: (socket: Socket) => void): Promise<number>;
  /** Requests the entry URL of a port for a user. */
  issue(who: Person, more?: Partial<CallInput<'devices_IssueDeviceHttpProxyToken'>>): Promise<URL>;
  /** Redeems an entry URL of a port for the member. */
  enter(port: number): Promise<ProxiedPort>;
  /** Redeems an entry URL. */
  enterBy(url: URL): Promise<ProxiedPort>;
  /** Sends a request with a host name and no cookie. */
  ask(host: string, path: string, options?: Ask): Promise<ProxyAnswer>;
}

/** A signed-in user. */
export interface Person {
  readonly userId: Id<'user'>;
  readonly email: string;
  /** The console's session cookie. */
  readonly cookie: string;
}

/** Starts hub and agent and waits until the device is connected. */
export async function proxiedDevice(
  limits: Partial<ProxyLimits> = {},
  options: HttpHubOptions = {},
): Promise<ProxiedDevice> {
  const transports = await bothTransports(limits, options);
  const { hub } = transports;
  const owner = await newPerson(transports, 'owner@example.org');
  const asOwner = {
    actor: { actor: 'User', kind: 'User', userId: owner.userId },
    origin: justProved,
  } as const;
  const { projectId } = await hub.executor.invoke(asOwner, 'projects_CreateProject', { name: 'Plant' });
  const newMember: ProxiedDevice['newMember'] = async (email) => {
    const person = await newPerson(transports, email);
    const { userId } = person;
    await hub.executor.invoke(system, 'projects_AddProjectMember', { projectId, userId });
    return person;
  };
  const member = await newMember('member@example.org');
  const { token } = await hub.executor.invoke(asOwner, 'projects_CreateDeploymentToken', {
    projectId,
    name: 'line',
    flags: { autoAccept: true },
  });
  const stateDir = await mkdtemp(join(tmpdir(), 'corral-proxied-'));
  const agent = startAgent(hub.url, token, stateDir);
  const deviceId = await connectedDevice(transports, projectId, asOwner);
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
    transports,
    deviceId,
    projectId,
    owner,
    member,
    newMember,
    agent,
    ask,
    issue,
    enterBy,
    enter: async (devicePort) => enterBy(await issue(member, { port: devicePort })),
    adopt: listen,
    serve: (listener) => listen(createServer({ requestTimeout: 0 }, listener)),
    serveRaw: (onConnection) => listen(createTcpServer({ allowHalfOpen: true }, onConnection)),
    async [Symbol.asyncDispose]() {
      // An agent that ends by itself stores its compiled modules for the next one.
      agent.kill('SIGTERM');
      for (const server of servers) {
        server.close();
        if ('closeAllConnections' in server)
          (server as ReturnType<typeof createServer>).closeAllConnections();
      }
      await transports[Symbol.asyncDispose]();
      agent.kill('SIGKILL');
      await rm(stateDir, { recursive: true, force: true });
    },
  };
}

async function newPerson({ hub }: BothTransports, email: string): Promise<Person> {
  const { userId } = await hub.user(email, { password });
  return { userId: userId as Id<'user'>, email, cookie: await hub.signIn(email, password) };
}

function startAgent(hubUrl: string, token: string, stateDir: string): ChildProcess {
  return spawn(process.execPath, [launcher, 'run'], {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      HOME: '/nonexistent',
      CORRAL_AGENT_HUB_URL: hubUrl,
      CORRAL_AGENT_TOKEN: token,
      CORRAL_AGENT_STATE: stateDir,
    },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
}

function connectedDevice(
  { hub }: BothTransports,
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
    { interval: 50 },
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

/** Reads a response to its end; rejects when it is cut off. */
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
