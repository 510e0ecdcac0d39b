import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pass } from 'node:timers/promises';

/** Whom the abusers of the doors pretend to be: the holder of a user token and of a session. */
export interface DoorCredentials {
  readonly token: string;
  /** As `name=value`. */
  readonly cookie: string;
  readonly userId: string;
  /** The password of the account, which stays. */
  readonly password: string;
  readonly deviceId: string;
}

/** What is sent on a new connection, and how the connection then ends. */
interface Attempt {
  readonly bytes: string;
  /** Ends before the answer. */
  readonly isCutShort?: boolean;
  /** Stays open without a word for this long; otherwise until the hub ends it, or for two seconds. */
  readonly holdsMs?: number;
}

const upgrade = (host: string, more: string): string =>
  `GET /api/v1/connect/ws HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n${more}\r\n`;

function post(path: string, body: string, more = '', sentBytes = body.length): string {
  const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n${more}\r\n`;
  return head + body.slice(0, sentBytes);
}

const action = (name: string): string => `/api/v1/actions/invoke/${name}`;
const symbols = (seed: number, count: number): string =>
  Array.from({ length: count }, (_, index) => 'abcdefghijk'[(seed * 7 + index * (seed % 5)) % 11]).join('');
const anonymousBody = JSON.stringify({ name: 'x'.repeat(61_000) });
const pipelined = 'GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(12_000);
let zeros: string | undefined;

/** The abuses of the doors of the hub, by name: each turn is one connection. */
export const doorAbuses = {
  /** Connects with tokens that nobody has. */
  unknownTokens: (_who, turn) => ({
    bytes: upgrade('localhost', `Authorization: Bearer u_sk_${symbols(turn, 66)}\r\n`),
  }),
  /** As many headers as fit, which nothing may keep. */
  longHeaders: () => ({
    bytes: upgrade('localhost', `Authorization: Bearer${' '.repeat(31_000)}u_sk_a\r\n`),
  }),
  /** Upgrades for a host that the hub is not, on connections that the client keeps. */
  unknownHosts: () => ({ bytes: upgrade('elsewhere.example', ''), holdsMs: 10_000 }),
  silentConnections: () => ({ bytes: '', holdsMs: 10_000 }),
  /** Twelve thousand requests for the largest document at once. */
  pipelinedRequests: () => ({ bytes: pipelined }),
  /** Calls of nobody, each with an input that the audit log must not keep. */
  anonymousCalls: () => ({ bytes: post(action('projects_CreateProject'), anonymousBody) }),
  abortedBodies: () => ({
    bytes: post(action('projects_CreateProject'), anonymousBody, '', 30_000),
    isCutShort: true,
  }),
  /** Four million values in one document of somebody who may send 8 MiB. */
  largeDocuments: ({ token, deviceId }) => {
    zeros ??= `[${'0,'.repeat(4_000_000)}0]`;
    const body = `{"deviceId":"${deviceId}","name":"dev.nexigon.commands","value":${zeros}}`;
    return { bytes: post(action('devices_SetDeviceProperty'), body, `Authorization: Bearer ${token}\r\n`) };
  },
  /** New passwords, of which each costs 20 ms and 19 MiB. */
  passwordChanges: ({ cookie, userId, password }) => {
    const body = JSON.stringify({ userId, password });
    return {
      bytes: post(
        action('users_SetUserPassword'),
        body,
        `Cookie: ${cookie}\r\nSec-Fetch-Site: same-origin\r\n`,
      ),
    };
  },
} satisfies Record<string, (who: DoorCredentials, turn: number) => Attempt>;

/** The name of an abuse of a door. */
export type DoorAbuseName = keyof typeof doorAbuses;

const answerWithinMs = 2_000;
const restMs = 20;

/** Abuses the doors of a hub in turn, one connection after the other, until it is stopped. */
export function startDoorAbuser(
  url: string,
  who: DoorCredentials,
  names: readonly DoorAbuseName[],
): { readonly connections: number; stop(): Promise<void> } {
  const stopping = new AbortController();
  let connections = 0;
  const run = async (): Promise<void> => {
    for (let turn = 0; !stopping.signal.aborted; turn += 1) {
      const make: (who: DoorCredentials, turn: number) => Attempt =
        doorAbuses[names[turn % names.length] ?? 'silentConnections'];
      await attempt(url, make(who, turn), stopping.signal);
      connections += 1;
      await pass(restMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const running = run();
  return {
    get connections() {
      return connections;
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

async function attempt(
  url: string,
  { bytes, isCutShort, holdsMs }: Attempt,
  signal: AbortSignal,
): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket: Socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  socket.on('error', () => {}).resume();
  const ended = once(socket, 'close').catch(() => {});
  if (bytes !== '') socket.write(bytes, () => void (isCutShort === true && socket.destroy()));
  if (holdsMs === undefined) socket.on('end', () => socket.destroy());
  const wait = new AbortController();
  const time = pass(holdsMs ?? answerWithinMs, undefined, { signal: AbortSignal.any([signal, wait.signal]) });
  await Promise.race([ended, time.catch(() => {})]);
  wait.abort();
  socket.destroy();
}
