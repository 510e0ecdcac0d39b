import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { deviceCertificate } from '../../../test/device-certificate.ts';
import { outgoingRule } from '../../config/outgoing-addresses.ts';
import type { Resolve } from './address-rule.ts';
import { openOutgoing } from './open-outgoing.ts';

interface Listening {
  readonly port: number;
  connections: number;
}

/** Has a server listen at an address, by default at every one of the machine, and counts who connects. */
async function listening(server: Server, host = '::'): Promise<Listening> {
  const listening = { port: 0, connections: 0 };
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    listening.connections += 1;
    sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
  });
  server.listen(0, host);
  await once(server, 'listening');
  listening.port = (server.address() as AddressInfo).port;
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return listening;
}

const serving = (listener: RequestListener, host?: string) => listening(createServer(listener), host);

function opened(parts: Partial<Parameters<typeof openOutgoing>[0]> = {}) {
  const outgoing = openOutgoing({ rule: outgoingRule([]), ...parts });
  onTestFinished(() => outgoing.close());
  return outgoing;
}

const toLoopback = outgoingRule([{ place: '127.0.0.1', port: undefined }]);

/** Each name has the addresses that stand in front of `.test`, with dashes for colons. */
const resolve: Resolve = (hostname, _options, done) => {
  const name = hostname.replace(/^localhost\.?$/, '127-0-0-1').replace(/\.test\.?$/, '');
  const addresses = name.split('--and--');
  done(
    null,
    addresses.map((text) => {
      const isV6 = text.includes('_');
      return { address: isV6 ? text.replaceAll('_', ':') : text.replaceAll('-', '.'), family: isV6 ? 6 : 4 };
    }),
  );
};

const forbiddenHosts = [
  '127.0.0.1', '127.1', '127.0.1', '2130706433', '0x7f000001', '0x7f.1', '0177.1', '017700000001', '127.255.255.254',
  '0', '0.0.0.0', '0x0', '[::]', '[::1]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]',
  '[::ffff:0:127.0.0.1]', '[64:ff9b::7f00:1]', '[64:ff9b:1::7f00:1]', '[2002:7f00:1::]', '[2001:0:7f00:1::]',
  '169.254.169.254', '2852039166', '0xa9fea9fe', '[::ffff:a9fe:a9fe]', '[64:ff9b::a9fe:a9fe]', '[fd00:ec2::254]',
  '10.0.0.1', '172.16.0.1', '192.168.1.1', '100.64.0.1', '192.0.2.1', '198.18.0.1', '224.0.0.1', '240.0.0.1',
  '255.255.255.255', '[fe80::1]', '[fc00::1]', '[ff02::1]', '[2001:db8::1]',
  'localhost', 'LOCALHOST', '１２７.0.0.1',
]; // prettier-ignore

test('no form of a forbidden address is connected to, by http or https', async () => {
  const listener = await serving((_request, response) => response.end('inside'));
  const outgoing = opened();
  expect(forbiddenHosts.length).toBeGreaterThanOrEqual(40);
  for (const host of forbiddenHosts)
    for (const scheme of ['http', 'https'])
      await expect(outgoing.fetch(`${scheme}://${host}:${listener.port}/`), host).rejects.toMatchObject({
        name: 'OutgoingError',
        fault: 'Refused',
      });
  expect(listener.connections).toBe(0);
});

test('a name that leads to a forbidden address, alone or beside another, is not connected to', async () => {
  const listener = await serving((_request, response) => response.end('inside'));
  const outgoing = opened({ resolve });
  const names = ['localhost', 'localhost.'];
  for (const name of [
    '127-0-0-1',
    '__1',
    '__ffff_7f00_1',
    '10-0-0-1',
    '169-254-169-254',
    '1-1-1-1--and--127-0-0-1',
  ])
    names.push(`${name}.test`, `${name}.test.`);
  for (const name of names)
    await expect(outgoing.fetch(`https://${name}:${listener.port}/`), name).rejects.toMatchObject({
      fault: 'Refused',
    });
  expect(listener.connections).toBe(0);
});

test('a name that leads elsewhere the next time is checked again for each connection', async () => {
  const allowed = await serving((_request, response) => {
    response.shouldKeepAlive = false;
    response.end('allowed');
  }, '127.0.0.2');
  const inside = createServer((_request, response) => response.end('inside'));
  const listener = { connections: 0 };
  inside.on('connection', () => (listener.connections += 1)).listen(allowed.port, '127.0.0.1');
  await once(inside, 'listening');
  onTestFinished(() => void inside.close());
  const answers = ['127.0.0.2', '127.0.0.1', '127.0.0.1'];
  const outgoing = opened({
    rule: outgoingRule([{ place: '127.0.0.2', port: undefined }]),
    resolve: (_hostname, _options, done) =>
      done(null, [{ address: answers.shift() ?? '127.0.0.1', family: 4 }]),
  });
  const url = `http://rebinding.test:${allowed.port}/`;
  expect(await (await outgoing.fetch(url)).text()).toBe('allowed');
  await expect(outgoing.fetch(url)).rejects.toMatchObject({ fault: 'Refused' });
  expect([allowed.connections, listener.connections, answers.length]).toEqual([1, 0, 1]);
});

test.each([
  'file:///etc/passwd',
  'ftp://127.0.0.1/',
  'data:text/plain,a',
  'javascript:0',
  'gopher://x',
  '//x',
  'x',
  'https://user@x.example',
  'https://:word@x.example',
])('%s is no address for the hub', async (url) => {
  await expect(opened().fetch(url)).rejects.toMatchObject({ fault: 'Refused' });
});

test('a redirect is not followed', async () => {
  const inside = await serving((_request, response) => response.end('inside'));
  const listener = await serving((_request, response) => {
    response.writeHead(302, { location: `http://127.0.0.1:${inside.port}/` }).end('secret words');
  });
  const failure = opened({ rule: toLoopback }).fetch(`http://127.0.0.1:${listener.port}/`);
  await expect(failure).rejects.toMatchObject({ fault: 'Redirects' });
  await expect(failure).rejects.not.toThrow(/secret words/);
  expect(inside.connections).toBe(0);
});

test('an answer comes as from fetch, and only the listed port is connected to', async () => {
  const listener = await serving((request, response) => {
    response.writeHead(201, { 'content-type': 'application/json', 'set-cookie': ['a=1', 'b=2'] });
    request.on('data', (piece: Buffer) =>
      response.end(JSON.stringify([request.method, request.headers['content-type'], String(piece)])),
    );
  });
  const outgoing = opened({ rule: outgoingRule([{ place: 'localhost', port: listener.port }]) });
  const answer = await outgoing.fetch(`http://localhost:${listener.port}/token`, {
    method: 'POST',
    body: new URLSearchParams({ code: 'a b' }),
  });
  expect([answer.status, answer.headers.getSetCookie()]).toEqual([201, ['a=1', 'b=2']]);
  expect(await answer.json()).toEqual([
    'POST',
    'application/x-www-form-urlencoded;charset=UTF-8',
    'code=a+b',
  ]);
  const other = await serving((_request, response) => response.end());
  await expect(outgoing.fetch(`http://localhost:${other.port}/`)).rejects.toMatchObject({ fault: 'Refused' });
  expect(other.connections).toBe(0);
});

const within = { connectMs: 1_000, totalMs: 400, maxBytes: 10_000 };

test('what answers without end, or never, ends in time and takes no more than the limit', async () => {
  let sentBytes = 0;
  const piece = Buffer.alloc(65_536);
  const endless = await serving((_request, response) => {
    response.writeHead(200);
    const more = (): void => {
      while (!response.destroyed && response.write(piece)) sentBytes += piece.length;
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  });
  const silent = await listening(createTcpServer(() => undefined));
  const slow = await listening(
    createTcpServer((socket) => {
      const bytes = Buffer.from('HTTP/1.1 200 OK\r\nx: ' + 'y'.repeat(10_000));
      let sent = 0;
      const timer = setInterval(() => socket.write(bytes.subarray(sent, (sent += 1))), 10);
      socket.on('close', () => clearInterval(timer)).on('error', () => undefined);
    }),
  );
  const headers = await listening(
    createTcpServer(
      (socket) =>
        void socket.on('error', () => undefined).write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}`),
    ),
  );
  const outgoing = opened({ rule: toLoopback, answer: within });
  const fetched = (port: number, scheme = 'http') => outgoing.fetch(`${scheme}://127.0.0.1:${port}/`);
  await expect(fetched(endless.port)).rejects.toMatchObject({ fault: 'TooLarge' });
  await expect(fetched(silent.port)).rejects.toMatchObject({ fault: 'TooSlow' });
  await expect(fetched(silent.port, 'https')).rejects.toMatchObject({ fault: 'TooSlow' });
  await expect(fetched(slow.port)).rejects.toMatchObject({ fault: 'TooSlow' });
  await expect(fetched(headers.port)).rejects.toMatchObject({ fault: 'TooLarge' });
  expect(sentBytes).toBeLessThan(50_000_000);
});

test('a server that does not answer keeps its own requests waiting, and those to others go on', async () => {
  const silent = await listening(createTcpServer(() => undefined));
  const good = await serving((_request, response) => response.end('good'));
  const outgoing = opened({ rule: toLoopback, answer: { totalMs: 60_000 } });
  const stop = new AbortController();
  const waiting = Array.from({ length: 60 }, () =>
    outgoing
      .fetch(`http://127.0.0.1:${silent.port}/`, { signal: stop.signal })
      .catch(({ fault }) => fault as string),
  );
  expect(await (await outgoing.fetch(`http://127.0.0.1:${good.port}/`)).text()).toBe('good');
  expect(silent.connections).toBeLessThanOrEqual(8);
  expect(await Promise.any(waiting)).toBe('Busy');
  stop.abort();
  await Promise.all(waiting);
});

test('a certificate that nobody vouches for is not trusted', async () => {
  const { certificatePem: cert, keyPem: key } = await deviceCertificate();
  const listener = await listening(createTlsServer({ cert, key }, (_request, response) => response.end()));
  await expect(
    opened({ rule: toLoopback }).fetch(`https://127.0.0.1:${listener.port}/`),
  ).rejects.toMatchObject({ fault: 'Untrusted' });
});
