import { createServer } from 'node:net';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { keepConnected, Ticker } from '@corral/client';
import { expect, test } from 'vitest';
import { HubPeer, token } from '../../test/hub-peer.ts';
import { loadIdentity, type DeviceIdentity } from '../identity/identity.ts';
import { openDeviceLink } from './device-link.ts';

async function withIdentity<Result>(work: (identity: DeviceIdentity) => Promise<Result>): Promise<Result> {
  const stateDir = await mkdtemp(join(tmpdir(), 'corral-agent-'));
  try {
    const files = { certificateFile: join(stateDir, 'certificate.pem'), keyFile: join(stateDir, 'key.pem') };
    return await work(await loadIdentity({ ...files, stateDir, fingerprintScript: undefined }));
  } finally {
    await rm(stateDir, { recursive: true, force: true });
  }
}

/** Runs this many attempts against real sockets; measures what the process holds after a quarter of them and after the last. */
async function usageAfter(
  attempts: number,
  hubUrl: string,
): Promise<{ early: ResourceUsage; late: ResourceUsage }> {
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
    const currentUsage = (): ResourceUsage => ({
      listeners,
      resources: process.getActiveResourcesInfo().filter((name) => /Timeout|TCP|Immediate/.test(name)).length,
      heapMiB: heapMiB(),
    });
    const ticker = new Ticker();
    let attemptCount = 0;
    let early: ResourceUsage | undefined;
    await keepConnected({
      signal: stop.signal,
      stopReason: 'the test is over',
      sleep: () => new Promise(setImmediate),
      open: (signal) => openDeviceLink({ hubUrl, token, identity, isRegistered: true, signal }, ticker),
      onConnected: () => stop.abort(),
      onWaiting() {
        attemptCount += 1;
        if (attemptCount === attempts / 4) early = currentUsage();
        if (attemptCount === attempts) stop.abort();
      },
    });
    if (early === undefined) throw new Error('the attempts ended early');
    return { early, late: currentUsage() };
  });
}

interface ResourceUsage {
  readonly listeners: number;
  readonly resources: number;
  readonly heapMiB: number;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heapMiB(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 1_048_576;
}

test('hundreds of attempts leak nothing while the hub is down', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  const { early, late } = await usageAfter(800, `http://127.0.0.1:${port}`);
  // The last attempt may still be cleaning up.
  expect(late.listeners).toBeLessThanOrEqual(early.listeners + 1);
  expect(late.resources).toBeLessThanOrEqual(early.resources + 3);
  expect(late.heapMiB - early.heapMiB).toBeLessThan(20);
});

test('hundreds of refusals leak nothing', async () => {
  const hub = await HubPeer.start();
  hub.refusal = { status: 403, message: 'The certificate of this device is pending.' };
  const { early, late } = await usageAfter(400, hub.url);
  // The last attempt may still be cleaning up.
  expect(late.listeners).toBeLessThanOrEqual(early.listeners + 1);
  expect(late.resources).toBeLessThanOrEqual(early.resources + 6);
  await hub.stop();
});
