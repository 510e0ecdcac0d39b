import { expect, test } from 'vitest';
import { coalesceRuns } from './coalesce-runs.ts';

test('calls during a run lead to one more run, and all of them wait for it', async () => {
  const started: PromiseWithResolvers<void>[] = [];
  const run = coalesceRuns(() => {
    const work = Promise.withResolvers<void>();
    started.push(work);
    return work.promise;
  });
  const calls = [run(), run(), run()];
  expect(started.length).toBe(1);
  started[0]?.resolve();
  await expect.poll(() => started.length).toBe(2);
  started[1]?.resolve();
  await Promise.all(calls);
  const later = run();
  expect(started.length).toBe(3);
  started[2]?.resolve();
  await later;
});
