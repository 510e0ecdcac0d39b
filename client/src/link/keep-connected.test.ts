import type { ConnectionEnd } from '@corral/multiplex';
import { expect, test } from 'vitest';
import { ConnectError } from './ConnectError.ts';
import { keepConnected, type RetryWait } from './keep-connected.ts';

/** Runs keepConnected by a script, in which each entry is a failure or the lifetime of a connection; returns the waits. */
async function waitsAfter(
  script: (ConnectError | number)[],
  end: ConnectionEnd = { cause: 'lost', reason: '' },
): Promise<RetryWait[]> {
  let nowMs = 0;
  const stop = new AbortController();
  const waits: RetryWait[] = [];
  const steps = script.values();
  await keepConnected({
    signal: stop.signal,
    stopReason: 'the test is over',
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

const seconds = (waits: RetryWait[]): number[] => waits.map(({ delayMs }) => Math.round(delayMs / 1_000));

test('failures double the wait up to half a minute', async () => {
  const away = new ConnectError('The hub is away.');
  expect(seconds(await waitsAfter(Array.from({ length: 9 }, () => away)))).toEqual([
    1, 2, 4, 8, 16, 30, 30, 30, 30,
  ]);
});

test('a connection that lasted half a minute resets the backoff; what a shorter one lasted counts as waited', async () => {
  const away = new ConnectError('The hub is away.');
  expect(seconds(await waitsAfter([away, away, away, 30_000, away]))).toEqual([1, 2, 4, 1, 2]);
  expect(seconds(await waitsAfter([away, away, away, away, 10_000, away]))).toEqual([1, 2, 4, 8, 6, 30]);
  expect(seconds(await waitsAfter([away, away, away, 29_999, away]))).toEqual([1, 2, 4, 1, 16]);
  expect(seconds(await waitsAfter(Array.from({ length: 7 }, () => 5_000)))).toEqual([1, 1, 1, 3, 11, 25, 25]);
});

test('a hub that says when to come back is no failure', async () => {
  const away = new ConnectError('The hub is away.');
  const busy = new ConnectError('The hub is busy.', 429, 5_000);
  expect(seconds(await waitsAfter([away, away, busy, busy, away]))).toEqual([1, 2, 6, 6, 4]);
  const unscheduled = new ConnectError('The hub is busy.', 429, 0);
  expect(seconds(await waitsAfter([away, unscheduled, away]))).toEqual([1, 2, 4]);
});

test('a refusal is retried after the time that the hub requested, and its reason is reported', async () => {
  const [first, second] = await waitsAfter([
    new ConnectError('The hub is busy.', 429, 30_000),
    new ConnectError('The certificate is pending.', 403, undefined, 'Forbidden', 'CertificatePending'),
  ]);
  expect(first).toMatchObject({ reason: 'The hub is busy', failure: undefined });
  expect(Math.round((first?.delayMs ?? 0) / 1_000)).toBe(33);
  expect(second).toMatchObject({ reason: 'The certificate is pending', failure: 'CertificatePending' });
});

test('the time in the close reason of a hub is waited for', async () => {
  const stopping = { cause: 'peer', reason: 'the hub is stopping: come back in 30 s' } as const;
  expect(seconds(await waitsAfter([60_000, 60_000], stopping))).toEqual([33, 33]);
  // Only a hub may request a wait.
  expect(seconds(await waitsAfter([60_000], { ...stopping, cause: 'lost' }))).toEqual([1]);
  expect(seconds(await waitsAfter([60_000], { ...stopping, reason: 'come back' }))).toEqual([1]);
});

test('a hub that sends its clients to another is no failure, and the reason shows no time', async () => {
  const away = new ConnectError('The hub is away.');
  const leaving = { cause: 'peer', reason: 'the hub is stopping: come back in 0 s' } as const;
  const waits = await waitsAfter([away, away, away, 1_000, 1_000, away], leaving);
  expect(seconds(waits)).toEqual([1, 2, 4, 1, 1, 1]);
  expect(waits[3]?.reason).toBe('the hub ended the connection: the hub is stopping');
});

test('a bug of the program itself is not hidden by retrying', async () => {
  const work = keepConnected({
    signal: new AbortController().signal,
    stopReason: '',
    open: () => Promise.reject(new TypeError('a bug')),
    onConnected: () => undefined,
    onWaiting: () => undefined,
  });
  await expect(work).rejects.toThrow('a bug');
});
