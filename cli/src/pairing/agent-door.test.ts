import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import type { AgentAddress } from './addresses.ts';
import { isReady, offerKey } from './agent-door.ts';

let server: Server;
afterEach(() => void server.close().closeAllConnections());

/** Somebody at an address, who is perhaps no agent. */
async function at(answer: RequestListener): Promise<AgentAddress> {
  server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
}

test.each(['ready\n', 'Ready.', '"ready"', '{"state":"ready","version":"8"}'])(
  '%j says that an agent waits',
  async (said) => expect(await isReady(await at((_, response) => response.end(said)))).toBe(true),
);

test('an agent says that it is ready, and is given its key as it is', async () => {
  const given: string[] = [];
  const agent = await at((request, response) => {
    if (request.method === 'GET') return void response.end('{"status":"ready"}');
    void readText(request).then((text) => {
      given.push(text);
      response.writeHead(204).end();
    });
  });
  expect(await isReady(agent)).toBe(true);
  expect(await offerKey(agent, 'hub.example,7K2M9Q-X4TB')).toBeUndefined();
  expect(given).toEqual(['hub.example,7K2M9Q-X4TB']);
});

test.each<[string, RequestListener]>([
  ['another page', (_, response) => response.end('<h1>It is already there</h1>')],
  ['a page with the word', (_, response) => response.end('<title>Printer</title><p>ready</p>')],
  ['a sentence with the word', (_, response) => response.end('The camera is ready.\n')],
  ['other JSON', (_, response) => response.end('{"status":"not ready","of":null}')],
  ['null', (_, response) => response.end('null')],
  ['a failure', (_, response) => response.writeHead(503).end('ready')],
  ['a way elsewhere', (_, response) => response.writeHead(302, { location: '/ready' }).end('ready')],
  ['no end', (_, response) => void response.write('x'.repeat(1_000_000))],
])('%s is no agent that waits', async (_, answer) => expect(await isReady(await at(answer))).toBe(false));

test('nobody there is no agent that waits', async () => {
  const gone = await at(() => undefined);
  server.close();
  expect(await isReady(gone)).toBe(false);
  expect(await offerKey(gone, 'x')).toMatch(/^It does not answer: /);
});

test.each([
  ['{"kind":"Invalid","message":"The key is wrong."}', 'The key is wrong.'],
  ['The hub\u001b[2J\u202eis gone\n', 'The hub\ufffd[2J\ufffdis gone'],
  ['x'.repeat(1_000_000), 'x'.repeat(200)],
  ['', 'It answered with the status 400.'],
])('what a stranger says is short and clean', async (said, shown) => {
  const stranger = await at((_, response) => response.writeHead(400).end(said));
  expect(await offerKey(stranger, 'x')).toBe(shown);
});
