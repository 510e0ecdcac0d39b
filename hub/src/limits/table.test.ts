import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { freshDatabase, type FreshDatabase } from '../../test/fresh-database.ts';
import { type CountedLimit, countsOf } from '../auth/request-limits.ts';
import { countRequest } from '../domains/users/sql/request-limits.ts';
import { Buckets, maxKeys, type Rate, RefusedCalls } from './bucket.ts';
import { FairSemaphore, type Places } from './fair-semaphore.ts';
import { type CallerKeys, type Limit, refusalBy, type Windows } from './limit.ts';
import { limits, longestWaitMs } from './table.ts';

const all: [name: string, limit: Limit][] = Object.entries(limits);
const rates = all.filter((entry): entry is [string, Limit & Rate] => 'perSecond' in entry[1]);
const places = all.filter((entry): entry is [string, Limit & Places] =>
  ['inAll', 'ofCaller'].some((key) => key in entry[1]),
);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test.each(all)(
  '%s names who suffers without it, and what the refused get',
  (_, { what, scenario, refused }) => {
    for (const text of [what, scenario]) expect(text.length).toBeGreaterThan(5);
    if (typeof refused === 'string') return expect(refused).not.toBe('');
    const { kind, message, retryAfterSecs } = refusalBy({ refused });
    expect([kind, message, retryAfterSecs]).toEqual([refused.kind, refused.sentence, refused.retryAfterSecs]);
    expect(['Throttled', 'NotReady']).toContain(kind);
    expect(retryAfterSecs).toBeGreaterThan(0);
  },
);

describe.each(rates)('the rate %s', (_, rate) => {
  let nowMs = 0;
  const buckets = () => new Buckets(rate, () => nowMs);
  beforeEach(() => void (nowMs = 5_000));

  test('lets its burst pass at once and then as many as it says, and delays no other key', () => {
    const bucket = buckets();
    for (let count = 0; count < rate.burst; count += 1) expect(bucket.take('one')).toBe(true);
    expect(bucket.take('one')).toBe(false);
    expect(bucket.take('other')).toBe(true);
    nowMs += 2_000;
    const later = Array.from({ length: 3 * rate.perSecond }, () => bucket.take('one')).filter(Boolean);
    expect(later).toHaveLength(Math.min(rate.burst, 2 * rate.perSecond));
  });

  test('spaces what waits evenly, and refuses what would wait for longer than it may', () => {
    const bucket = buckets();
    for (let count = 0; count < rate.burst; count += 1) expect(bucket.waitMs('one', longestWaitMs)).toBe(0);
    const intervalMs = 1_000 / rate.perSecond;
    const waits = Array.from({ length: 5 * rate.perSecond }, () => bucket.waitMs('one', longestWaitMs));
    expect(waits.map((wait = 0) => Math.round(wait))).toEqual(
      waits.map((_, index) => Math.round((index + 1) * intervalMs)),
    );
    expect(bucket.waitMs('one', longestWaitMs)).toBeUndefined();
    nowMs += intervalMs;
    expect(bucket.waitMs('one', longestWaitMs)).toBeCloseTo(longestWaitMs);
  });

  test('keeps a bounded number of keys, and none whose bucket is full again', () => {
    const bucket = buckets();
    for (let key = 0; key < maxKeys + 500; key += 1) bucket.take(`key ${key}`);
    expect(bucket.size).toBe(maxKeys);
    bucket.refund('key 600');
    expect(bucket.size).toBe(maxKeys - 1);
  });
});

test('refused calls that ran at the same time hold up later ones of their caller, for five minutes at most', () => {
  let nowMs = 0;
  const refused = new RefusedCalls({ perSecond: 100, burst: 300 }, () => nowMs);
  for (let count = 0; count < 299; count += 1) refused.charge('u');
  expect(refused.isBehind('u')).toBe(false);
  for (let count = 0; count < 1_000; count += 1) refused.charge('u');
  nowMs += 4_990;
  expect([refused.isBehind('u'), refused.isBehind('other'), refused.waitMs('u')]).toEqual([
    true,
    false,
    undefined,
  ]);
  nowMs += 10;
  expect(refused.waitMs('u')).toBe(longestWaitMs);
  for (let count = 0; count < 100_000; count += 1) refused.charge('u');
  nowMs += 300_000;
  expect(refused.waitMs('u')).toBe(10);
});

interface Work {
  readonly keys: CallerKeys;
  state: 'waits' | 'runs' | 'refused';
}

/** Begins work, and follows it. */
function begin(semaphore: FairSemaphore, keys: CallerKeys, signal?: AbortSignal): Work {
  const work: Work = { keys, state: 'waits' };
  try {
    const turn = semaphore.acquire(keys, signal);
    if (turn === undefined) work.state = 'runs';
    turn?.then(
      () => (work.state = 'runs'),
      () => (work.state = 'refused'),
    );
  } catch {
    work.state = 'refused';
  }
  return work;
}

const settled = () => vi.advanceTimersByTimeAsync(0);
const full = () => new Error('full');
const times = <Item>(count: number, make: (index: number) => Item) =>
  Array.from({ length: count }, (_, index) => make(index));
const statesOf = (works: readonly Work[]) => works.map(({ state }) => state);
const count = (works: readonly Work[], state: Work['state']) =>
  works.filter((work) => work.state === state).length;

async function beginAll(semaphore: FairSemaphore, all: readonly CallerKeys[]): Promise<Work[]> {
  const works = all.map((keys) => begin(semaphore, keys));
  await settled();
  return works;
}

async function end(semaphore: FairSemaphore, { keys }: Work): Promise<void> {
  semaphore.release(keys);
  await settled();
}

describe.each(places)('the places of %s', (_, limit) => {
  const { inAll = Infinity, ofCaller = Infinity, ofGroup = Infinity, waiting = Infinity } = limit;
  const { waitingOfCaller = Infinity, maxWaitMs } = limit;
  const few = 2_000;

  test('are as many of one caller, of a group and in all as it says', async () => {
    const semaphore = new FairSemaphore(limit, full);
    const mostOfOne = Math.min(inAll, ofCaller);
    const one = await beginAll(
      semaphore,
      times(mostOfOne + 1, () => ({ caller: 'one' })),
    );
    expect(count(one, 'runs')).toBe(mostOfOne);
    await beginAll(
      semaphore,
      times(Math.min(inAll, 100), (index) => ({ caller: `other ${index}` })),
    );
    expect(semaphore.running).toBe(Math.min(inAll, mostOfOne + 100));
    const ofOneGroup = new FairSemaphore(limit, full);
    await beginAll(
      ofOneGroup,
      times(100, (index) => ({ caller: `d${index}`, group: 'p' })),
    );
    expect(ofOneGroup.running).toBe(Math.min(inAll, ofGroup, 100));
  });

  test('have a bounded queue, which is served in order, and nothing is kept of callers without work', async () => {
    const semaphore = new FairSemaphore(limit, full);
    const runs = Math.min(inAll, ofCaller);
    const waits = Math.min(waiting, waitingOfCaller, few);
    const works = await beginAll(
      semaphore,
      times(runs + waits + (waits < few ? 3 : 0), () => ({ caller: 'one' })),
    );
    expect([count(works, 'runs'), count(works, 'waits')]).toEqual([runs, waits]);
    if (waits < few) expect(statesOf(works.slice(-3))).toEqual(['refused', 'refused', 'refused']);
    if (maxWaitMs !== undefined) {
      await vi.advanceTimersByTimeAsync(maxWaitMs);
      expect(count(works, 'waits')).toBe(0);
    }
    for (const work of works) if (work.state === 'runs') semaphore.release(work.keys);
    for (let left = count(works, 'waits'); left > 0; left = count(works, 'waits')) {
      await settled();
      for (let ended = semaphore.running; ended > 0; ended -= 1) semaphore.release({ caller: 'one' });
    }
    await settled();
    while (semaphore.running > 0) semaphore.release({ caller: 'one' });
    expect([semaphore.size, vi.getTimerCount()]).toEqual([0, 0]);
  });
});

const ofUser = (caller: string): CallerKeys => ({ caller });
const ofDevice = (caller: string, group: string): CallerKeys => ({ caller, group });

describe('work that waits', () => {
  test('begins by the party of which the fewest run, and of those by who came first', async () => {
    const semaphore = new FairSemaphore({ inAll: 4, ofCaller: 2 }, full);
    const held = await beginAll(semaphore, [
      ofDevice('d1', 'p1'),
      ofDevice('d2', 'p1'),
      ofDevice('d3', 'p1'),
      ofUser('u1'),
    ]);
    const waiting = await beginAll(semaphore, [
      ofDevice('d4', 'p1'),
      ofUser('u1'),
      ofDevice('d5', 'p2'),
      ofUser('u2'),
    ]);
    const order: number[] = [];
    for (const work of held) {
      await end(semaphore, work);
      waiting.forEach(({ state }, index) => {
        if (state === 'runs' && !order.includes(index)) order.push(index);
      });
    }
    expect(order).toEqual([2, 3, 0, 1]);
  });

  test('leaves a place that its first may not have to the next', async () => {
    const semaphore = new FairSemaphore({ inAll: 3, ofCaller: 1 }, full);
    const held = await beginAll(semaphore, [ofDevice('d1', 'p1'), ofDevice('d2', 'p1'), ofUser('u1')]);
    const waiting = await beginAll(semaphore, [ofDevice('d1', 'p1'), ofDevice('d3', 'p1')]);
    await end(semaphore, held[2] as Work);
    expect(statesOf(waiting)).toEqual(['waits', 'runs']);
  });

  test('begins when its caller ends work of another group', async () => {
    const semaphore = new FairSemaphore({ inAll: 3, ofCaller: 1 }, full);
    const [first, other] = await beginAll(semaphore, [
      ofDevice('account', 'here'),
      ofDevice('account', 'there'),
    ]);
    expect(other?.state).toBe('waits');
    await end(semaphore, first as Work);
    expect(other?.state).toBe('runs');
  });

  test('makes room for others when too much waits: the newest of whoever has the most', async () => {
    const semaphore = new FairSemaphore({ inAll: 1, ofCaller: 1, waiting: 4 }, full);
    await beginAll(semaphore, [ofUser('u1')]);
    const greedy = await beginAll(
      semaphore,
      times(5, () => ofUser('u1')),
    );
    expect(statesOf(greedy)).toEqual(['waits', 'waits', 'waits', 'waits', 'refused']);
    const others = await beginAll(semaphore, [ofUser('u2'), ofUser('u3')]);
    expect(statesOf(greedy)).toEqual(['waits', 'waits', 'refused', 'refused', 'refused']);
    expect(statesOf(others)).toEqual(['waits', 'waits']);
    expect(statesOf(await beginAll(semaphore, [ofUser('u2')]))).toEqual(['refused']);
  });

  test('leaves when its caller does, and its place may be given back twice', async () => {
    const semaphore = new FairSemaphore({ ofCaller: 1 }, full);
    const giveBack = await semaphore.take(ofUser('u1'));
    const leaving = new AbortController();
    const [left, next] = [begin(semaphore, ofUser('u1'), leaving.signal), begin(semaphore, ofUser('u1'))];
    leaving.abort(new Error('left'));
    giveBack();
    giveBack();
    await settled();
    expect(statesOf([left, next])).toEqual(['refused', 'runs']);
    semaphore.release(ofUser('u1'));
    expect(semaphore.size).toBe(0);
  });

  test('frees its place whether it succeeds or fails', async () => {
    const semaphore = new FairSemaphore({ inAll: 1 }, full);
    const failing = semaphore.run(ofUser('u1'), () => Promise.reject(new Error('broken')));
    const next = semaphore.run(ofDevice('d1', 'p1'), async () => 'next');
    await expect(failing).rejects.toThrow('broken');
    expect(await next).toBe('next');
    expect(semaphore.size).toBe(0);
  });
});

const windows = all.filter((entry): entry is [CountedLimit, Limit & Windows] => 'windows' in entry[1]);

describe('counted in the database', () => {
  let database: FreshDatabase;
  beforeEach(async () => {
    vi.useRealTimers();
    database = await freshDatabase();
  });
  afterEach(() => database[Symbol.asyncDispose]());

  test.each(windows)(
    '%s is refused beyond its number with the time to wait, and free again after it',
    async (name, limit) => {
      const now = new Date('2026-11-20T12:00:00Z');
      const counts = countsOf(Buffer.alloc(32), name, 'somebody');
      const count = (at: Date) => countRequest(database.db, counts, at);
      await count(now);
      await database.db
        .updateTable('request_counts')
        .set({ requests: sql`${Math.min(...limit.windows.map(({ max }) => max))} - 1` })
        .execute();
      await count(now);
      const secs = limit.windows.toSorted((one, other) => one.max - other.max)[0]?.secs ?? 0;
      await expect(count(new Date(now.getTime() + 1_000))).rejects.toMatchObject({
        kind: 'Throttled',
        retryAfterSecs: secs - 1,
      });
      await count(new Date(now.getTime() + secs * 1_000));
      await expect(
        countRequest(database.db, countsOf(Buffer.alloc(32), name, 'another'), now),
      ).resolves.toBeUndefined();
    },
  );
});
