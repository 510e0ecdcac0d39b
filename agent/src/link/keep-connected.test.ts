import { createServer } from 'node:net';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import type { ConnectionEnd } from '@corral/multiplex';
import { expect, test } from 'vitest';
import { HubPeer, token } from '../../test/hub-peer.ts';
import { loadIdentity, type DeviceIdentity } from '../identity/identity.ts';
import { ConnectError } from './ConnectError.ts';
import { openDeviceLink } from './device-link.ts';
import { keepConnected, type Waiting } from './keep-connected.ts';
import { Ticker } from './ticker.ts';

/** Keeps connecting by a script: each entry is a failure, or how long a connection lives; the waits that followed. */
async function waitsAfter(script: (ConnectError | number)[]): Promise<Waiting[]> {
  let nowMs = 0;
  const stop = new AbortController();
  const waits: Waiting[] = [];
  const steps = script.values();
  await keepConnected({
    signal: stop.signal,
    nowMs: () => nowMs,
    random: () => 0.999_999,
    sleep: async () => undefined,
    onConnected: () => undefined,
    onWaiting(waiting) {
      waits.push(waiting);
      if (waits.length === script.length) stop.abort();
    },
    async open() {
      const step = steps.next().value;
      if (step instanceof ConnectError) throw step;
      const end: ConnectionEnd = { cause: 'lost', reason: '' };
      return {
        close: () => undefined,
        get closed() {
          nowMs += step ?? 0;
          return Promise.resolve(end);
        },
      };
    },
  });
  return waits;
}

const seconds = (waits: Waiting[]): number[] => waits.map(({ delayMs }) => Math.round(delayMs / 1_000));

test('failures double the wait up to a minute', async () => {
  const away = new ConnectError('The hub is away.');
  expect(seconds(await waitsAfter(Array.from({ length: 9 }, () => away)))).toEqual([
    1, 2, 4, 8, 16, 32, 60, 60, 60,
  ]);
});

test('a connection that lived a minute makes up for the failures before it; a shorter one does not', async () => {
  const away = new ConnectError('The hub is away.');
  expect(seconds(await waitsAfter([away, away, away, 60_000, away]))).toEqual([1, 2, 4, 1, 2]);
  expect(seconds(await waitsAfter([away, away, away, 59_999, away]))).toEqual([1, 2, 4, 8, 16]);
});

test('a refusal is tried again, with its reason told and the time that the hub asked for', async () => {
  const [first, second] = await waitsAfter([
    new ConnectError('The hub is busy.', 429, 30_000),
    new ConnectError('The certificate was revoked.', 403),
  ]);
  expect(first).toMatchObject({ reason: 'The hub is busy', status: 429 });
  expect(Math.round((first?.delayMs ?? 0) / 1_000)).toBe(31);
  expect(second).toMatchObject({ reason: 'The certificate was revoked', status: 403 });
});

test('a fault of the program itself is not hidden by trying again', async () => {
  const work = keepConnected({
    signal: new AbortController().signal,
    open: () => Promise.reject(new TypeError('a bug')),
    onConnected: () => undefined,
    onWaiting: () => undefined,
  });
  await expect(work).rejects.toThrow('a bug');
});

async function withIdentity<Result>(work: (identity: DeviceIdentity) => Promise<Result>): Promise<Result> {
  const stateDir = await mkdtemp(join(tmpdir(), 'corral-agent-'));
  try {
    const files = { certificateFile: join(stateDir, 'certificate.pem'), keyFile: join(stateDir, 'key.pem') };
    return await work(await loadIdentity({ ...files, stateDir, fingerprintScript: undefined }));
  } finally {
    await rm(stateDir, { recursive: true, force: true });
  }
}

/** Tries so often, against real sockets; what the process holds on to after the first tries and after the last. */
async function heldAfter(attempts: number, hubUrl: string): Promise<{ early: Held; late: Held }> {
  return withIdentity(async (identity) => {
    const stop = new AbortController();
    let listeners = 0;
    const add = stop.signal.addEventListener.bind(stop.signal);
    const remove = stop.signal.removeEventListener.bind(stop.signal);
    stop.signal.addEventListener = ((...args: Parameters<typeof add>) => {
      listeners += 1;
      add(...args);
    }) as typeof add;
    stop.signal.removeEventListener = ((...args: Parameters<typeof remove>) => {
      listeners -= 1;
      remove(...args);
    }) as typeof remove;
    const held = (): Held => ({
      listeners,
      resources: process.getActiveResourcesInfo().filter((name) => /Timeout|TCP|Immediate/.test(name)).length,
      heapMiB: heapMiB(),
    });
    const ticker = new Ticker();
    let tries = 0;
    let early: Held | undefined;
    await keepConnected({
      signal: stop.signal,
      sleep: () => new Promise(setImmediate),
      open: (signal) => openDeviceLink({ hubUrl, token, identity, isRegistered: true, signal }, ticker),
      onConnected: () => stop.abort(),
      onWaiting() {
        tries += 1;
        if (tries === attempts / 4) early = held();
        if (tries === attempts) stop.abort();
      },
    });
    if (early === undefined) throw new Error('the tries ended early');
    return { early, late: held() };
  });
}

interface Held {
  readonly listeners: number;
  readonly resources: number;
  readonly heapMiB: number;
}

function heapMiB(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1_048_576;
}

test('nothing piles up in hundreds of tries while nothing listens', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  const { early, late } = await heldAfter(800, `http://127.0.0.1:${port}`);
  // The last try may still be clearing up.
  expect(late.listeners).toBeLessThanOrEqual(early.listeners + 1);
  expect(late.resources).toBeLessThanOrEqual(early.resources + 3);
  expect(late.heapMiB - early.heapMiB).toBeLessThan(20);
});

test('nothing piles up in hundreds of refusals', async () => {
  const hub = await HubPeer.start();
  hub.refusal = { status: 403, message: 'The certificate of this device is pending.' };
  const { early, late } = await heldAfter(400, hub.url);
  // The last try may still be clearing up.
  expect(late.listeners).toBeLessThanOrEqual(early.listeners + 1);
  expect(late.resources).toBeLessThanOrEqual(early.resources + 6);
  await hub.stop();
});
