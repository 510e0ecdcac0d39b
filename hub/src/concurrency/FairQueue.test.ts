import { expect, test } from 'vitest';
import { FairQueue, type Flow } from './FairQueue.ts';

/** Runs pieces of a queue by hand, one at a time, and records whose they were. */
function steppedQueue(maxLag = 100) {
  const queue = new FairQueue({ concurrency: 1, maxLag });
  const begun: string[] = [];
  const running: (() => void)[] = [];
  const flows = new Map<string, Flow>();
  return {
    begun,
    ask(name: string, size: number): Promise<void> {
      const flow = flows.get(name) ?? queue.flow();
      flows.set(name, flow);
      return queue.run(flow, size, () => {
        begun.push(name);
        return new Promise((end) => running.push(end));
      });
    },
    /** Ends the running pieces one by one, until nothing waits. */
    async drain() {
      for (let end = running.shift(); end !== undefined; end = running.shift()) {
        end();
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

const countOf = (names: readonly string[], name: string): number =>
  names.filter((one) => one === name).length;

test('of flows that wait, the one that has had the least is next, however often the others ask', async () => {
  const { ask, begun, drain } = steppedQueue();
  const all = [ask('eager', 10), ...Array.from({ length: 9 }, () => ask('eager', 10))];
  all.push(ask('late', 10), ask('late', 10), ask('late', 10));
  await drain();
  await Promise.all(all);
  expect(begun.slice(0, 7)).toEqual(['eager', 'late', 'eager', 'late', 'eager', 'late', 'eager']);
});

test('shares are of sizes, not of turns', async () => {
  const { ask, begun, drain } = steppedQueue();
  const all = Array.from({ length: 8 }, () => ask('large', 40));
  all.push(...Array.from({ length: 32 }, () => ask('small', 10)));
  await drain();
  await Promise.all(all);
  const half = begun.slice(0, 20);
  expect(countOf(half, 'small')).toBe(16);
  expect(countOf(half, 'large')).toBe(4);
});

test('a flow that was idle catches up by a bounded amount only', async () => {
  const { ask, begun, drain } = steppedQueue(30);
  const first = ask('idle', 10);
  await drain();
  await first;
  const busy = Array.from({ length: 50 }, () => ask('busy', 10));
  await drain();
  begun.length = 0;
  const all = [
    ...Array.from({ length: 10 }, () => ask('busy', 10)),
    ...Array.from({ length: 10 }, () => ask('idle', 10)),
  ];
  await drain();
  await Promise.all([...busy, ...all]);
  // One runs already, then it catches up the thirty, then both take turns.
  expect(begun.slice(0, 5)).toEqual(['busy', 'idle', 'idle', 'idle', 'idle']);
  expect(countOf(begun.slice(5, 11), 'idle')).toBe(3);
});

test('a failed piece gives its place to the next', async () => {
  const queue = new FairQueue({ concurrency: 1, maxLag: 10 });
  const flow = queue.flow();
  const failed = queue.run(flow, 1, () => Promise.reject(new Error('unreadable')));
  const next = queue.run(flow, 1, async () => 'read');
  await expect(failed).rejects.toThrow('unreadable');
  expect(await next).toBe('read');
});
