import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { httpHub } from '../../test/http-hub.ts';

/** Connects anew every 4 ms and sends a request, until a connection is refused; posts how many connections ended without an answer. */
const client = `
const { connect } = require('node:net');
const { parentPort, workerData: port } = require('node:worker_threads');
let [open, answered, lost, isRefused] = [0, 0, 0, false];
const send = () => {
  const socket = connect(port, '127.0.0.1');
  let heard = false;
  open += 1;
  socket.write('GET /healthz HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n');
  socket.on('data', () => (heard = true));
  let refused = false;
  socket.on('error', ({ code }) => (isRefused ||= refused = code === 'ECONNREFUSED'));
  socket.on('close', () => {
    if (heard && (answered += 1) === 20) parentPort.postMessage('busy');
    if (!heard && !refused) lost += 1;
    if ((open -= 1) === 0 && isRefused) parentPort.postMessage({ answered, lost });
  });
};
const timer = setInterval(() => (isRefused ? clearInterval(timer) : send()), 4);
`;

/** Holds the event loop, while connections of others wait to be accepted. */
function block(ms: number): void {
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs);
}

test('a hub that stops answers every connection that the system has taken for it', async () => {
  const hub = await httpHub();
  const { port } = hub.http.server.address() as AddressInfo;
  const worker = new Worker(client, { eval: true, workerData: port });
  await once(worker, 'message');
  block(50);
  const closed = hub[Symbol.asyncDispose]();
  const [result] = (await once(worker, 'message')) as [{ answered: number; lost: number }];
  expect(result).toMatchObject({ lost: 0 });
  expect(result.answered).toBeGreaterThan(20);
  await closed;
  await worker.terminate();
});
