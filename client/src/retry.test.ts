import { ActionError } from '@corral/contract';
import { expect, test } from 'vitest';
import { ConnectError } from './link/ConnectError.ts';
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

test('ends after ten minutes without progress, and starts counting again after progress', async () => {
  const endOf = async (progressUntilMs: number): Promise<number> => {
    let passedMs = 0;
    const nowMs = (): number => (passedMs += 30_000);
    const progress = (): number => Math.min(passedMs, progressUntilMs);
    const ending = withRetries(() => Promise.reject(broken()), { ...noWait, nowMs, progress });
    await expect(ending).rejects.toMatchObject({
      fault: 'Interrupted',
      message: 'broken It was tried again for 10 minutes. Run the same command to resume.',
    });
    return passedMs;
  };
  expect(await endOf(0)).toBeGreaterThan(600_000);
  expect(await endOf(0)).toBeLessThan(720_000);
  expect(await endOf(300_000)).toBeGreaterThan(900_000);
});

test('ends after ten attempts that the hub answers with 500', async () => {
  expect(await attemptsOf(() => refused(500))).toBe(10);
  expect(await attemptsOf(() => new ActionError('Internal', 'a bug'))).toBe(10);
});

/** The limits of the waits for work that fails with the error until it is given up, and the time of each since the first failure. The waits are a thousandth of them. */
async function limitsOf(error: Error): Promise<{ atMs: number; limitMs: number }[]> {
  const share = 1 / 1_000;
  const limits: { atMs: number; limitMs: number }[] = [];
  let atMs = 0;
  const onRetry = (_reason: string, delayMs: number): void => {
    limits.push({ atMs, limitMs: delayMs / share });
    atMs += delayMs / share;
  };
  const work = withRetries(() => Promise.reject(error), { random: () => share, onRetry, nowMs: () => atMs });
  await expect(work).rejects.toThrow();
  return limits;
}

test.each<[Error]>([[broken()], [refused(502)], [new ConnectError('nothing listens there')]])(
  '%s: while the hub is away for less than a minute it is tried again within two seconds, then less often',
  async (error) => {
    const limits = await limitsOf(error);
    expect(limits.slice(0, 5).map(({ limitMs }) => limitMs)).toEqual([250, 500, 1_000, 2_000, 2_000]);
    const young = limits.filter(({ atMs }) => atMs <= 60_000);
    expect(Math.max(...young.map(({ limitMs }) => limitMs))).toBe(2_000);
    for (const { atMs, limitMs } of limits)
      expect(limitMs).toBeLessThanOrEqual(Math.max(2_000, Math.min(10_000, atMs / 30)) + 1);
    expect(limits.at(-1)?.limitMs).toBe(10_000);
  },
);

test('a hub that is busy is asked less often from the beginning', async () => {
  const limits = await limitsOf(refused(429));
  expect(limits.slice(4, 8).map(({ limitMs }) => limitMs)).toEqual([4_000, 8_000, 10_000, 10_000]);
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
