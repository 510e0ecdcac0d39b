import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writePieces } from './write-pieces.ts';

const pieceBytes = 65_536;
let answer: (response: ServerResponse) => void = (response) => response.destroy();
const server = createServer((_, response) => answer(response));
beforeAll(async () => void (await once(server.listen(0, '127.0.0.1'), 'listening')));
afterAll(() => void server.close().closeAllConnections());

/** Pieces that take turns in two buffers, as those of a file. */
function turns(count: number, failure?: Error) {
  const buffers = [Buffer.alloc(pieceBytes), Buffer.alloc(pieceBytes)] as const;
  const state = { read: 0, isReleased: false };
  async function* read(): AsyncGenerator<Uint8Array, void> {
    try {
      for (; state.read < count; state.read += 1) {
        await new Promise<void>((resolve) => setImmediate(resolve));
        yield buffers[state.read % 2 === 0 ? 0 : 1].fill(state.read % 251);
      }
      if (failure !== undefined) throw failure;
    } finally {
      state.isReleased = true;
    }
  }
  return { state, pieces: read() };
}

/** Answers the next request with pieces; resolves with how writing them ended. */
function serve({ pieces }: ReturnType<typeof turns>, signal = new AbortController().signal) {
  const ended = Promise.withResolvers<unknown>();
  answer = async (response) => {
    const first = await pieces.next();
    await writePieces(response, first.value as Uint8Array, pieces, signal).then(
      () => ended.resolve('all written'),
      (error: unknown) => {
        response.destroy();
        ended.resolve(error);
      },
    );
  };
  return ended.promise;
}

async function ask(): Promise<IncomingMessage> {
  const request = get({ port: (server.address() as AddressInfo).port, agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response.on('error', () => undefined);
}

test('the client gets every piece as it was when it was read', async () => {
  const source = turns(40);
  const ended = serve(source);
  const chunks: Buffer[] = [];
  for await (const chunk of await ask()) chunks.push(chunk as Buffer);
  const sent = Array.from({ length: 40 }, (_, index) => Buffer.alloc(pieceBytes, index % 251));
  expect(Buffer.concat(chunks).equals(Buffer.concat(sent))).toBe(true);
  expect(await ended).toBe('all written');
  expect(source.state.isReleased).toBe(true);
});

test('a client that does not read is not read ahead for, and its leaving releases the file', async () => {
  const source = turns(100_000);
  const ended = serve(source);
  const response = await ask();
  let before = -1;
  // The system takes some megabytes for it.
  await expect
    .poll(() => source.state.read === before || !(before = source.state.read), { interval: 100 })
    .toBe(true);
  expect(source.state.read).toBeLessThan(1_000);
  response.destroy();
  expect(await ended).toBeInstanceOf(Error);
  await expect.poll(() => source.state.isReleased).toBe(true);
});

test('what was read before a failure is sent, and the failure is thrown', async () => {
  const failure = new Error('The disk failed.');
  const source = turns(3, failure);
  const ended = serve(source);
  let receivedBytes = 0;
  const response = await ask();
  response.on('data', ({ length }: Buffer) => (receivedBytes += length));
  expect(await ended).toBe(failure);
  await expect.poll(() => receivedBytes).toBe(3 * pieceBytes);
  expect(source.state.isReleased).toBe(true);
});

test('an abort ends the wait for a client that does not read', async () => {
  const source = turns(100_000);
  const aborting = new AbortController();
  const ended = serve(source, aborting.signal);
  const response = await ask();
  const reason = new Error('The hub is stopping.');
  aborting.abort(reason);
  expect(await ended).toBe(reason);
  await expect.poll(() => source.state.isReleased).toBe(true);
  response.destroy();
});
