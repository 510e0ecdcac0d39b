import { beforeEach, expect, test } from 'vitest';
import { shareRuns } from './share-runs.ts';

let nowMs = 0;
let runs: PromiseWithResolvers<string>[];
let ask: () => Promise<string>;
beforeEach(() => {
  runs = [];
  const work = (): Promise<string> => {
    const run = Promise.withResolvers<string>();
    runs.push(run);
    return run.promise;
  };
  ask = shareRuns(work, { keepMs: 250, maxRunMs: 2_000, nowMs: () => nowMs });
});

test('callers share a run, and its outcome until it is too old', async () => {
  const answers = [ask(), ask()];
  nowMs += 1_000;
  answers.push(ask());
  runs[0]?.resolve('first');
  expect(await Promise.all(answers)).toEqual(['first', 'first', 'first']);
  nowMs += 249;
  expect(await ask()).toBe('first');
  nowMs += 1;
  const later = ask();
  runs[1]?.resolve('second');
  expect(await later).toBe('second');
  expect(runs).toHaveLength(2);
});

test('a failure is shared, and forgotten, in the same way', async () => {
  const failed = [ask(), ask()];
  runs[0]?.reject(new Error('away'));
  for (const answer of failed) await expect(answer).rejects.toThrow('away');
  await expect(ask()).rejects.toThrow('away');
  nowMs += 250;
  const later = ask();
  runs[1]?.resolve('there again');
  expect(await later).toBe('there again');
});

test('a run that hangs holds up only those who came while it was young', async () => {
  const hanging = ask();
  nowMs += 2_000;
  const next = ask();
  expect(runs).toHaveLength(2);
  runs[1]?.resolve('there again');
  expect(await next).toBe('there again');
  runs[0]?.resolve('late');
  expect(await hanging).toBe('late');
  expect(await ask()).toBe('there again');
});
