import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { limitBodyTime } from './node-server.ts';

const server = createServer((request, response) => {
  limitBodyTime(request, response, 100);
  if (request.url === '/begun') response.writeHead(200).write('begun');
  if (request.url === '/early') return void response.end('early');
  request.resume().on('end', () => setTimeout(() => response.end('done'), 300));
});
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

async function raw(text: string): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(text);
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString())).on('error', () => undefined);
  await once(socket, 'close');
  return answer;
}

const head = (method: string, path: string): string =>
  `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 5\r\n\r\n`;

test('a body that does not arrive is answered 408', async () => {
  expect(await raw(`${head('POST', '/')}he`)).toMatch(/^HTTP\/1\.1 408 /);
});

test('an answer that has begun is cut off', async () => {
  expect(await raw(`${head('POST', '/begun')}he`)).not.toContain('done');
});

test.each(['POST', 'PUT'])('a body that continues after the answer to a %s is cut off', async (method) => {
  const kept = head(method, '/early').replace('Connection: close', 'Connection: keep-alive');
  expect(await raw(`${kept}he`)).toContain('early');
});

test('neither processing after the body nor a request without a body is limited in time', async () => {
  expect(await raw(`${head('POST', '/')}hello`)).toContain('done');
  expect(await raw('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')).toContain('done');
});
