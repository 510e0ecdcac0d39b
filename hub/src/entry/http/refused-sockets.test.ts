import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { loadConfig } from '../../config/config.ts';
import { routeHostUpgrades, siteRule } from './hosts.ts';
import { createServer, refuseMalformed, routeUpgrades } from './node-server.ts';

const config = loadConfig({ argv: ['--port', '0'], env: {}, hostname: 'testing', isTerminal: false });
const server = createServer(undefined, (_request, response) => response.end());
const atHub: Socket[] = [];
server.on('connection', (socket) => atHub.push(socket));
server.on('clientError', (error, socket) => refuseMalformed(error, socket as Socket));
routeUpgrades(server, (own) =>
  routeHostUpgrades(siteRule(config), () => undefined, own, { paceUpgrades: (handler) => handler }),
);

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  vi.useRealTimers();
  for (const socket of atHub.splice(0)) socket.destroy();
});
afterAll(() => void server.close());

const upgradeOf = (host: string): string =>
  `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;

test.each([
  ['an upgrade at an unknown path', upgradeOf('localhost'), '404'],
  ['an upgrade for an unknown host', upgradeOf('elsewhere.example'), '421'],
  ['an upgrade for a malformed host', upgradeOf('a b'), '400'],
  ['what is not HTTP', 'NONSENSE\r\n\r\n', '400'],
  ['headers that are too large', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(40_000)}`, '431'],
])(
  'a client that is refused for %s, and keeps its side open, is disconnected',
  async (_what, sent, status) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { port } = server.address() as AddressInfo;
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {});
    socket.write(sent);
    let answer = '';
    socket.on('data', (bytes: Buffer) => (answer += bytes.toString()));
    await once(socket, 'end');
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    socket.write('further bytes are read and discarded');
    expect(atHub[0]?.destroyed).toBe(false);
    vi.advanceTimersByTime(5_000);
    await vi.waitFor(() => expect(atHub[0]?.destroyed).toBe(true));
    socket.destroy();
  },
);
