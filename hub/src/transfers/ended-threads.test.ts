import { connect } from 'node:net';
import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assetScene, callUrl, fileOf, type AssetScene } from '../../test/asset-scene.ts';

// Runs in a process of its own, whose threads it knows from their start.
const threads: Worker[] = [];
process.on('worker', (thread: Worker) => threads.push(thread));

let scene: AssetScene;
beforeAll(async () => void (scene = await assetScene()));
afterAll(() => scene[Symbol.asyncDispose]());

test('when the threads that hash and write end, uploads on the way are told to come again, and can', async () => {
  const file = fileOf(3_000_000);
  const assetId = await scene.create(file);
  const url = await scene.uploadUrl(assetId);
  const endThreads = () => Promise.all(threads.splice(0).map((thread) => thread.terminate()));
  await endThreads();
  const length = `content-length: ${file.bytes.length}\r\n`;
  const socket = await holdOpen(url, length, file.bytes.subarray(0, 1_000_000));
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  // With one processor there is no thread that hashes.
  await expect.poll(() => threads.length).toBe(availableParallelism() > 1 ? 2 : 1);
  await endThreads();
  socket.write(file.bytes.subarray(1_000_000));
  const again = /^HTTP\/1.1 503 [^]*retry-after: \d+[^]*Send them again/i;
  await expect.poll(() => answer).toMatch(again);
  socket.destroy();
  expect((await scene.details(assetId)).status).toBe('Dangling');
  expect((await callUrl(url, { method: 'PUT', body: file.bytes })).status).toBe(200);
  const { bytes } = await callUrl(await scene.downloadUrl(assetId));
  expect(bytes.equals(file.bytes)).toBe(true);
});

/** Opens a connection and sends a PUT of which the rest may follow. */
async function holdOpen(url: string, headers: string, body: Buffer) {
  const { hostname, port, pathname, search } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(`PUT ${pathname}${search} HTTP/1.1\r\nhost: ${hostname}\r\n${headers}\r\n`);
  await new Promise<void>((resolve) => socket.write(body, () => resolve()));
  return socket;
}
