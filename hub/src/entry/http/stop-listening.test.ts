import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { expect, test, vi } from 'vitest';
import { httpHub } from '../../../test/http-hub.ts';

const connections = 20;

/** Connects, sends a request on each connection and wakes the thread that started it; posts how many were answered. */
const client = `
const { connect } = require('node:net');
const { parentPort, workerData: { port, connections, sent } } = require('node:worker_threads');
let [written, open, answered] = [0, connections, 0];
for (let index = 0; index < connections; index += 1) {
  const socket = connect(port, '127.0.0.1');
  let isAnswered = false;
  socket.write('GET /healthz HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n', () => {
    if ((written += 1) < connections) return;
    Atomics.store(sent, 0, 1);
    Atomics.notify(sent, 0);
  });
  socket.on('data', () => (isAnswered = true));
  socket.on('error', () => {});
  socket.on('close', () => {
    if (isAnswered) answered += 1;
    if ((open -= 1) === 0) parentPort.postMessage(answered);
  });
}
`;

test('a hub that stops answers every connection that the system has taken for it', async () => {
  const hub = await httpHub();
  const { port } = hub.http.server.address() as AddressInfo;
  const sent = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(client, { eval: true, workerData: { port, connections, sent } });
  const answered = once(worker, 'message');
  // The hub accepts nothing while its thread waits here.
  expect(Atomics.wait(sent, 0, 0, 10_000)).toBe('ok');
  const closed = hub[Symbol.asyncDispose]();
  expect(await answered).toEqual([connections]);
  await closed;
  await worker.terminate();
});

test('a hub that stops answers the first request of a connection that it has just accepted', async () => {
  const hub = await httpHub();
  const { server } = hub.http;
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(server, 'connection');
  const closed = hub[Symbol.asyncDispose]();
  await vi.waitFor(() => expect(server.listening).toBe(false));
  socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /);
  await closed;
});
