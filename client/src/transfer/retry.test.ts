import { ActionError } from '@corral/contract';
import { expect, test } from 'vitest';
import { ConnectError } from '../link/ConnectError.ts';
import { withRetries } from './retry.ts';
import { TransferError } from './TransferError.ts';

const noWait = { random: () => 0 };
const broken = () => new TransferError('Interrupted', 'broken');
const refused = (status: number) => new TransferError('Refused', `status ${status}`, { status });

/** Runs work that fails with the error so many times; returns how often it ran. */
async function attemptsOf(error: () => Error, times = Infinity): Promise<number> {
  let attempts = 0;
  const work = async (): Promise<void> => {
    attempts += 1;
    if (attempts <= times) throw error();
  };
  await withRetries(work, noWait).catch(() => undefined);
  return attempts;
}

test.each<[() => Error]>([
  [broken],
  ...[408, 429, 500, 502, 503, 504].map((status): [() => Error] => [() => refused(status)]),
  [() => new ConnectError('nothing listens there')],
  [() => new ConnectError('later', 503)],
  [() => new ActionError('NotReady', 'starting')],
  [() => new ActionError('Throttled', 'too many')],
])('%s: tried again', async (error) => {
  expect(await attemptsOf(error, 3)).toBe(4);
});

test.each<[() => Error]>([
  ...[400, 403, 404, 413, 422, 501, 507].map((status): [() => Error] => [() => refused(status)]),
  [() => new TransferError('Damaged', 'other bytes')],
  [() => new TransferError('Local', 'disk full')],
  [() => new ConnectError('refused', 401)],
  [() => new ActionError('Invalid', 'no such asset')],
  [() => new Error('a bug')],
])('%s: not tried again', async (error) => {
  expect(await attemptsOf(error)).toBe(1);
});

test('ends after ten attempts without progress, and starts counting again after progress', async () => {
  expect(await attemptsOf(broken)).toBe(10);
  let attempts = 0;
  const work = (): Promise<never> => {
    attempts += 1;
    return Promise.reject(broken());
  };
  const progress = (): number => Math.min(5, attempts);
  await expect(withRetries(work, { ...noWait, progress })).rejects.toThrow('broken');
  expect(attempts).toBe(14);
});

test('waits below a limit that doubles, or as long as requested', async () => {
  const delays: number[] = [];
  let attempts = 0;
  const stopping = new AbortController();
  const work = (): Promise<never> => {
    attempts += 1;
    return Promise.reject(
      attempts < 3 ? broken() : new TransferError('Refused', 'x', { status: 503, retryAfterMs: 60_000 }),
    );
  };
  const onRetry = (_reason: string, delayMs: number): void => {
    delays.push(delayMs);
    if (delays.length === 3) stopping.abort(new Error('stopped'));
  };
  const waiting = withRetries(work, { random: () => 1, onRetry, signal: stopping.signal });
  await expect(waiting).rejects.toThrow('stopped');
  expect(delays).toEqual([250, 500, 61_000]);
});
