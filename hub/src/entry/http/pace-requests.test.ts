import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { httpHub, type HttpHub } from '../../../test/http-hub.ts';
import { getOf, rawRequests } from '../../../test/raw-requests.ts';
import { countRefusedCalls } from '../../limits/bucket.ts';
import { paceRequests } from './pace-requests.ts';

const password = 'hayrick-and-harness';
const perSecond = 4;
/** What may come at once. */
const burst = 3 * perSecond;

let hub: HttpHub;
let cookie: string;
let source = 1;
beforeAll(async () => {
  hub = await httpHub({
    env: { CORRAL_ANONYMOUS_REQUESTS_PER_SECOND: String(perSecond), CORRAL_TRUSTED_PROXIES: '127.0.0.200' },
    // No turn comes back, however slow the machine is.
    nowMs: () => 0,
  });
  await hub.user('pace@example.org', { password });
  cookie = await hub.signIn('pace@example.org', password);
});
afterAll(async () => {
  requests[Symbol.dispose]();
  await hub[Symbol.asyncDispose]();
});
// Each test has an address whose burst is whole.
beforeEach(() => void (source += 1));

const details = (more = ''): string => getOf('/api/config.json', more);

const requests = rawRequests(() => hub);
const { pacedSoFar } = requests;
/** The address of the test. */
const here = (): string => `127.0.1.${source}`;
const open = (text: string, from = here()) => requests.open(text, from);
const answered = (text: string, from = here()) => requests.answered(text, from);

/** Uses up what the address of the test may send at once; the next request waits. */
async function flood(): Promise<void> {
  const before = await pacedSoFar();
  await Promise.all(Array.from({ length: burst }, () => answered(details())));
  expect(await pacedSoFar()).toBe(before);
}

const pacedWith = (text: string, from = here()) => requests.pacedWith(text, from);

test('anonymous requests of an address beyond its rate wait, and are answered in their turn', async () => {
  await flood();
  const startedAt = performance.now();
  const answers = await Promise.all(Array.from({ length: 3 }, () => answered(details())));
  expect(answers.every((answer) => answer.startsWith('HTTP/1.1 200 '))).toBe(true);
  expect(performance.now() - startedAt).toBeGreaterThan(2.9 * (1_000 / perSecond));
});

test('other addresses, signed-in people, health checks and transfers do not wait for it', async () => {
  await flood();
  expect(await pacedWith(details(), '127.0.2.1')).toBe(0);
  expect(await pacedWith(details(`Cookie: ${cookie}\r\n`))).toBe(0);
  expect(await pacedWith(getOf('/healthz'))).toBe(0);
  expect(await pacedWith(getOf('/r/nothing'))).toBe(0);
});

test('a proxy itself never waits', async () => {
  const before = await pacedSoFar();
  for (let count = 0; count < 2 * burst; count += 1) await answered(details(), '127.0.0.200');
  expect(await pacedSoFar()).toBe(before);
});

test('a credential that is not valid, and one that is valid no more, count as none', async () => {
  const ended = await hub.signIn('pace@example.org', password);
  await hub.post('/api/private/logout', {}, { cookie: ended });
  await hub.invoke('actor_GetActor', {}, { cookie: ended });
  await flood();
  expect(await pacedWith(details(`Cookie: ${cookie}x\r\n`))).toBe(1);
  expect(await pacedWith(details(`Cookie: ${ended}\r\n`))).toBe(1);
});

test('after many refused calls of a user all calls of this user are paced, and those of others are not', async () => {
  await hub.user('astray@example.org', { password });
  const astray = { cookie: await hub.signIn('astray@example.org', password) };
  const before = await pacedSoFar();
  for (let count = 0; count < 60; count += 1)
    expect((await hub.invoke('projects_GetProjectDetails', {}, astray)).status).toBe(400);
  expect(await pacedSoFar()).toBe(before);
  const startedAt = performance.now();
  expect((await hub.invoke('actor_GetActor', {}, astray)).status).toBe(200);
  expect(performance.now() - startedAt).toBeGreaterThan(45);
  expect(await pacedSoFar()).toBe(before + 1);
  expect((await hub.invoke('actor_GetActor', {}, { cookie })).status).toBe(200);
  expect(await pacedWith(details())).toBe(0);
});

test('guesses at passwords with the session of another account count for that account', async () => {
  await hub.user('guesser@example.org', { password });
  const guesser = { cookie: await hub.signIn('guesser@example.org', password) };
  const before = await pacedSoFar();
  for (let count = 0; count < 60; count += 1) {
    const guess = { email: 'pace@example.org', password: `guess number ${count}` };
    expect((await hub.post('/api/private/login', guess, guesser)).status).toBeGreaterThanOrEqual(400);
  }
  expect(await pacedSoFar()).toBe(before);
  await hub.invoke('actor_GetActor', {}, guesser);
  expect(await pacedSoFar()).toBe(before + 1);
});

test('nothing is kept of a waiting upgrade once its client has left', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const paced = paceRequests({
    perSecond: 1,
    addressOf: () => '192.0.2.1',
    isProxy: () => false,
    userOf: () => undefined,
    userRefusals: countRefusedCalls(() => 0).users,
    nowMs: () => 0,
  });
  const handler = vi.fn();
  const upgrade = paced.paceUpgrades(handler, () => false);
  const sockets = Array.from({ length: 5 }, () => new Socket());
  for (const socket of sockets) upgrade({} as IncomingMessage, socket, Buffer.alloc(0));
  expect([handler.mock.calls.length, vi.getTimerCount()]).toEqual([3, 2]);
  sockets[3]?.emit('close', false);
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(2_000);
  expect(handler).toHaveBeenCalledTimes(4);
  expect(sockets.map((socket) => socket.listenerCount('close') + socket.listenerCount('error'))).toEqual([
    0, 0, 0, 1, 0,
  ]);
});

test('a client that would wait for too long is refused with Retry-After and disconnected', async () => {
  await flood();
  const many = await Promise.all(Array.from({ length: 5 * perSecond + 2 }, () => open(details())));
  await vi.waitFor(() => expect(many.some(({ heard }) => heard().startsWith('HTTP/1.1 429 '))).toBe(true));
  const refused = many.find(({ heard }) => heard().startsWith('HTTP/1.1 429 '));
  expect(refused?.heard()).toMatch(/\r\nRetry-After: 5\r\n.*too many requests from this address/s);
  for (const { socket } of many) socket.destroy();
});

test('a refusal comes behind the answer to what was sent before it on the connection', async () => {
  await flood();
  const many = await Promise.all(Array.from({ length: 5 * perSecond + 2 }, () => open(details())));
  await vi.waitFor(() => expect(many.some(({ heard }) => heard().startsWith('HTTP/1.1 429 '))).toBe(true));
  const [asked, ready] = [Promise.withResolvers<void>(), Promise.withResolvers<boolean>()];
  hub.setReady(() => {
    asked.resolve();
    return ready.promise;
  });
  onTestFinished(() => hub.setReady(true));
  const refusedBefore = await pacedSoFar();
  const { socket, heard } = await open(getOf('/readyz') + details().repeat(2_000));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await asked.promise;
  await vi.waitFor(async () => expect(await pacedSoFar()).toBe(refusedBefore + 1));
  expect(heard()).toBe('');
  ready.resolve(true);
  await closed;
  expect(heard().match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 429']);
  for (const one of many) one.socket.destroy();
});

test('requests sent ahead behind one that waits are dropped with their connection', async () => {
  await flood();
  const { socket, heard } = await open(details().repeat(5_000));
  await new Promise((resolve) => socket.once('close', resolve));
  expect(heard().match(/HTTP\/1\.1 200 /g)).toHaveLength(1);
  expect((await hub.call('/healthz')).status).toBe(200);
});
