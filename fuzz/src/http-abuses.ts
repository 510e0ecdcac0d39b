import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { ids, randomSymbols } from '@corral/contract';

/** The account that the abusers act as, with a user token and a session. */
export interface HttpCredentials {
  readonly token: string;
  /** As `name=value`. */
  readonly cookie: string;
  readonly userId: string;
  readonly email: string;
  /** The password of the account, which no abuse changes. */
  readonly password: string;
  readonly deviceId: string;
  /** The headers of a device of the account's project; abuses replace the fingerprint. */
  readonly deviceHeaders: Readonly<Record<string, string>>;
  /** The fingerprints of devices of the project that may connect. */
  readonly deviceFingerprints: readonly string[];
}

/** What is sent on a new connection, and when the connection is closed. */
interface Attempt {
  readonly bytes: string;
  /** The client closes the connection as soon as the bytes are sent. */
  readonly isCutShort?: boolean;
  /** The client closes the connection as soon as the hub answers. */
  readonly leavesOnAnswer?: boolean;
  /** How long the connection stays open without sending more; without it, until the hub closes it or for two seconds. */
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
/** Those without a Host are the shortest, and those with a body are answered while the rest of a read is parsed. */
const pipelinedRefusals =
  'GET / HTTP/1.1\r\n\r\nPOST / HTTP/1.1\r\nHost: -\r\nContent-Length: 1\r\n\r\n '.repeat(12_000);
let zeros: string | undefined;

/** As many requests as the hub takes on one connection at once. */
const sixteen = (path: string, host: string, more = ''): string =>
  `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${more}\r\n`.repeat(16);
const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
/** An access to a page of a device that the hub did not sign. */
const falseAccess = [
  base64({ alg: 'HS256', typ: 'http-proxy-access+jwt' }),
  base64({ sub: 'nobody' }),
  'A'.repeat(43),
].join('.');

function connectDevice(headers: HttpCredentials['deviceHeaders'], fingerprint: string): Attempt {
  const lines = Object.entries({ ...headers, 'x-device-fingerprint': fingerprint });
  const text = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return { bytes: upgrade('localhost', text), leavesOnAnswer: true };
}

/** Abuses of the HTTP interface of the hub, by name: each turn is one connection. */
export const httpAbuses = {
  /** Connects with tokens that do not exist. */
  unknownTokens: (_who, turn) => ({
    bytes: upgrade('localhost', `Authorization: Bearer u_sk_${symbols(turn, 66)}\r\n`),
  }),
  /** Connects devices that are not known yet, with the deployment token that lies on every device of a project. */
  newDevices: ({ deviceHeaders }) =>
    connectDevice(deviceHeaders, ids.deviceFingerprint.of(randomSymbols(44, randomBytes))),
  /** Connects the same devices again and again, whenever the hub tells them to come back. */
  returningDevices: ({ deviceHeaders, deviceFingerprints }, turn) =>
    connectDevice(deviceHeaders, deviceFingerprints[turn % deviceFingerprints.length] ?? ''),
  /** Connects with what is no token at all. */
  malformedTokens: () => ({ bytes: upgrade('localhost', 'Authorization: Bearer u_sk_short\r\n') }),
  /** Asks for files of public repositories, each of which is looked up. */
  publicFiles: (_who, turn) => ({ bytes: sixteen(`/r/fleet/image/tag-${turn}/image.bin`, 'localhost') }),
  /** Asks for pages of devices with accesses whose signatures are checked in vain. */
  falseAccesses: () => ({
    bytes: sixteen('/', 'x.proxy.localhost', `Cookie: __Host-proxy=${falseAccess}\r\n`),
  }),
  /** Asks again and again whether the hub is ready, which needs its database. */
  readinessChecks: () => ({ bytes: sixteen('/readyz', 'localhost') }),
  /** The longest headers that are accepted, which the hub must not keep in memory. */
  longHeaders: () => ({
    bytes: upgrade('localhost', `Authorization: Bearer${' '.repeat(31_000)}u_sk_a\r\n`),
  }),
  /** Upgrades for an unknown host name, on connections that the client does not close. */
  unknownHosts: () => ({ bytes: upgrade('elsewhere.example', ''), holdsMs: 10_000 }),
  silentConnections: () => ({ bytes: '', holdsMs: 10_000 }),
  /** Twelve thousand requests for the largest document at once. */
  pipelinedRequests: () => ({ bytes: pipelined }),
  /** As many that are refused at once. */
  pipelinedRefusals: () => ({ bytes: pipelinedRefusals }),
  /** Anonymous calls, each with a large input that must not be kept in the audit log. */
  anonymousCalls: () => ({ bytes: post(action('projects_CreateProject'), anonymousBody) }),
  abortedBodies: () => ({
    bytes: post(action('projects_CreateProject'), anonymousBody, '', 30_000),
    isCutShort: true,
  }),
  /** Four million values in one document of a user who may send 8 MiB. */
  largeDocuments: ({ token, deviceId }) => {
    zeros ??= `[${'0,'.repeat(4_000_000)}0]`;
    const body = `{"deviceId":"${deviceId}","name":"dev.nexigon.commands","value":${zeros}}`;
    return { bytes: post(action('devices_SetDeviceProperty'), body, `Authorization: Bearer ${token}\r\n`) };
  },
  /** Password changes, each of which costs the hub 20 ms and 19 MiB for the hash. */
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
  /** Sign-ins to accounts that do not exist: thirty a minute cost a hash, the others are refused. */
  signIns: (_who, turn) => {
    const body = JSON.stringify({ email: `nobody-${turn}@example.org`, password: 'a guess' });
    return { bytes: post('/api/private/login', body, 'Sec-Fetch-Site: same-origin\r\n') };
  },
  /** Sign-ins with the right password, each of which costs a hash, a session and rows in the audit log. */
  rightSignIns: ({ email, password }) => {
    const body = JSON.stringify({ email, password });
    return { bytes: post('/api/private/login', body, 'Sec-Fetch-Site: same-origin\r\n') };
  },
} satisfies Record<string, (who: HttpCredentials, turn: number) => Attempt>;

/** The name of an abuse of the HTTP interface. */
export type HttpAbuseName = keyof typeof httpAbuses;

const answerWithinMs = 2_000;
const restMs = 20;

/** Runs the named abuses in turn, one connection after the other, until it is stopped. */
export function startHttpAbuser(
  url: string,
  who: HttpCredentials,
  names: readonly HttpAbuseName[],
): { readonly connections: number; stop(): Promise<void> } {
  const stopping = new AbortController();
  let connections = 0;
  const run = async (): Promise<void> => {
    for (let turn = 0; !stopping.signal.aborted; turn += 1) {
      const make: (who: HttpCredentials, turn: number) => Attempt =
        httpAbuses[names[turn % names.length] ?? 'silentConnections'];
      connections += 1;
      await attempt(url, make(who, turn), stopping.signal);
      await delay(restMs, undefined, { signal: stopping.signal }).catch(() => {});
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
  { bytes, isCutShort, leavesOnAnswer, holdsMs }: Attempt,
  signal: AbortSignal,
): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket: Socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  socket.on('error', () => {}).resume();
  const ended = once(socket, 'close').catch(() => {});
  if (bytes !== '') socket.write(bytes, () => void (isCutShort === true && socket.destroy()));
  if (leavesOnAnswer === true) socket.once('data', () => socket.destroy());
  if (holdsMs === undefined) socket.on('end', () => socket.destroy());
  const wait = new AbortController();
  const time = delay(holdsMs ?? answerWithinMs, undefined, {
    signal: AbortSignal.any([signal, wait.signal]),
  });
  await Promise.race([ended, time.catch(() => {})]);
  wait.abort();
  socket.destroy();
}
