import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { fastify, type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listenTogether } from './listeners.ts';

let server: FastifyInstance;
let stop: () => Promise<void>;
let port: number;
beforeEach(async () => {
  server = fastify({ forceCloseConnections: true });
  server.get('/', async ({ raw }) => String(raw.socket.remotePort));
  stop = await listenTogether(server, { host: '127.0.0.1', port: 0 });
  ({ port } = server.server.address() as { port: number });
});
afterEach(async () => {
  await Promise.all([stop(), server.close()]);
});

async function ask(path = '/'): Promise<string> {
  const asking = request({ port, host: '127.0.0.1', path, agent: false }).end();
  const [response] = (await once(asking, 'response')) as [AsyncIterable<Buffer>];
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return text;
}

test('every connection is answered, whichever listener took it', async () => {
  const answers = await Promise.all(Array.from({ length: 200 }, () => ask()));
  expect(new Set(answers).size).toBe(200);
  expect(answers.every((answer) => /^\d+$/.test(answer))).toBe(true);
});

test('an upgrade reaches its server from every listener, and may be half-closed', async () => {
  let upgrades = 0;
  server.server.on('upgrade', (_request, socket: Socket) => {
    upgrades += 1;
    socket.on('end', () => socket.end('answered after your end')).resume();
  });
  const one = async (): Promise<string> => {
    const socket = connect(port, '127.0.0.1');
    socket.end('GET / HTTP/1.1\r\nHost: hub\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    return text;
  };
  const answers = await Promise.all(Array.from({ length: 64 }, one));
  expect(new Set(answers)).toEqual(new Set(['answered after your end']));
  expect(upgrades).toBe(64);
});

test('a port that is taken is refused, by its own kind as well', async () => {
  const other = fastify();
  await expect(listenTogether(other, { host: '127.0.0.1', port })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  });
  await other.close();
});

test('nobody is accepted any more once it is closed', async () => {
  await Promise.all([stop(), server.close()]);
  const knocks = Array.from({ length: 32 }, async () => {
    const [error] = (await once(connect(port, '127.0.0.1'), 'error')) as [{ code: string }];
    return error.code;
  });
  expect(new Set(await Promise.all(knocks))).toEqual(new Set(['ECONNREFUSED']));
});
