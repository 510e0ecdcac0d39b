import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CallerSemaphore, type CallerKeys } from './caller-semaphore.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const full = (): Error => new Error('full');
const ofUser = (caller: string): CallerKeys => ({ caller });
const ofDevice = (caller: string, projectId: string): CallerKeys => ({ caller, projectId });
const settled = () => vi.advanceTimersByTimeAsync(0);

interface Work {
  readonly keys: CallerKeys;
  state: 'waits' | 'runs' | 'refused';
}

/** Begins work, and follows it. */
function begin(semaphore: CallerSemaphore, keys: CallerKeys): Work {
  const work: Work = { keys, state: 'waits' };
  try {
    const turn = semaphore.acquire(keys);
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

async function beginAll(semaphore: CallerSemaphore, all: readonly CallerKeys[]): Promise<Work[]> {
  const works = all.map((keys) => begin(semaphore, keys));
  await settled();
  return works;
}

async function end(semaphore: CallerSemaphore, { keys }: Work): Promise<void> {
  semaphore.release(keys);
  await settled();
}

const running = (works: readonly Work[]) => works.filter(({ state }) => state === 'runs').length;
const states = (works: readonly Work[]) => works.map(({ state }) => state);

test('of one caller, of the devices of a project, of all devices and in all only so many run at a time', async () => {
  const semaphore = new CallerSemaphore({ inAll: 8, ofCaller: 2, ofProject: 3, ofDevices: 5, full });
  const one = await beginAll(
    semaphore,
    Array.from({ length: 3 }, () => ofDevice('d1', 'p1')),
  );
  expect(running(one)).toBe(2);
  const project = await beginAll(semaphore, [ofDevice('d2', 'p1'), ofDevice('d3', 'p1')]);
  expect(running(project)).toBe(1);
  const devices = await beginAll(
    semaphore,
    ['p2', 'p3', 'p4'].map((of) => ofDevice(`d of ${of}`, of)),
  );
  expect(running(devices)).toBe(2);
  const users = await beginAll(semaphore, ['u1', 'u2', 'u3', 'u4'].map(ofUser));
  expect(running(users)).toBe(3);
});

test('next is the party of which the fewest run, and of those who came first', async () => {
  const semaphore = new CallerSemaphore({ inAll: 4, ofCaller: 2, full });
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

test('newer work of a party of which fewer run is before older work of another', async () => {
  const semaphore = new CallerSemaphore({ inAll: 3, ofCaller: 2, full });
  const held = await beginAll(semaphore, ['u2', 'u3', 'u3'].map(ofUser));
  const [first, older, newer] = await beginAll(semaphore, ['u1', 'u2', 'u1'].map(ofUser));
  await end(semaphore, held[1] as Work);
  expect(first?.state).toBe('runs');
  await end(semaphore, first as Work);
  expect([older?.state, newer?.state]).toEqual(['waits', 'runs']);
});

test('a place that the first in the queue may not have goes to the next', async () => {
  const semaphore = new CallerSemaphore({ inAll: 3, ofCaller: 1, ofProject: 3, full });
  const held = await beginAll(semaphore, [ofDevice('d1', 'p1'), ofDevice('d2', 'p1'), ofUser('u1')]);
  const waiting = await beginAll(semaphore, [ofDevice('d1', 'p1'), ofDevice('d3', 'p1')]);
  await end(semaphore, held[2] as Work);
  expect(states(waiting)).toEqual(['waits', 'runs']);
});

test('when too many wait, the newest of whoever has the most waiting makes room for others', async () => {
  const semaphore = new CallerSemaphore({ inAll: 1, ofCaller: 1, waiting: 4, full });
  await beginAll(semaphore, [ofUser('u1')]);
  const greedy = await beginAll(
    semaphore,
    Array.from({ length: 5 }, () => ofUser('u1')),
  );
  expect(states(greedy)).toEqual(['waits', 'waits', 'waits', 'waits', 'refused']);
  const [other, third] = await beginAll(semaphore, [ofUser('u2'), ofUser('u3')]);
  expect(states(greedy)).toEqual(['waits', 'waits', 'refused', 'refused', 'refused']);
  expect([other?.state, third?.state]).toEqual(['waits', 'waits']);
  expect(states(await beginAll(semaphore, [ofUser('u2')]))).toEqual(['refused']);
});

test('devices fill only their part of the queue, whatever their number', async () => {
  const semaphore = new CallerSemaphore({ inAll: 1, ofCaller: 1, waiting: 6, waitingOfDevices: 3, full });
  await beginAll(semaphore, [ofUser('u1')]);
  const devices = await beginAll(
    semaphore,
    ['p1', 'p2', 'p3', 'p4', 'p5'].map((project) => ofDevice(`d of ${project}`, project)),
  );
  expect(states(devices)).toEqual(['waits', 'waits', 'waits', 'refused', 'refused']);
  expect(states(await beginAll(semaphore, ['u2', 'u3', 'u4'].map(ofUser)))).toEqual([
    'waits',
    'waits',
    'waits',
  ]);
});

test('of one caller only so many wait, and none for longer than it may', async () => {
  const semaphore = new CallerSemaphore({
    inAll: 1,
    ofCaller: 1,
    waitingOfCaller: 2,
    maxWaitMs: 1_000,
    full,
  });
  const works = await beginAll(
    semaphore,
    Array.from({ length: 4 }, () => ofUser('u1')),
  );
  expect(states(works)).toEqual(['runs', 'waits', 'waits', 'refused']);
  await vi.advanceTimersByTimeAsync(999);
  await end(semaphore, works[0] as Work);
  await vi.advanceTimersByTimeAsync(1);
  expect(states(works)).toEqual(['runs', 'runs', 'refused', 'refused']);
});

test('it runs work, whether that succeeds or fails, and keeps nothing of callers without work', async () => {
  const semaphore = new CallerSemaphore({ inAll: 2, ofCaller: 1, full });
  const failing = semaphore.run(ofDevice('d1', 'p1'), () => Promise.reject(new Error('broken')));
  const next = semaphore.run(ofDevice('d1', 'p1'), async () => 'next');
  expect(semaphore.size).toBe(1);
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toBe('next');
  expect(semaphore.size).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
});

test('where only callers are limited, each has a queue of its own', async () => {
  const semaphore = new CallerSemaphore({ inAll: Infinity, ofCaller: 1, waitingOfCaller: 2, full });
  const of = (device: string) => ofDevice(device, 'p1');
  const one = await beginAll(semaphore, ['d1', 'd1', 'd1', 'd1'].map(of));
  const other = await beginAll(semaphore, ['d2', 'd2', 'd2'].map(of));
  expect(states(one)).toEqual(['runs', 'waits', 'waits', 'refused']);
  for (const work of other) await end(semaphore, work);
  expect(states(other)).toEqual(['runs', 'runs', 'runs']);
  expect(states(one)).toEqual(['runs', 'waits', 'waits', 'refused']);
  for (const work of one.slice(0, 3)) await end(semaphore, work);
  expect(states(one)).toEqual(['runs', 'runs', 'runs', 'refused']);
  expect(semaphore.size).toBe(0);
});
