import { expect, test } from 'vitest';
import { createSemaphore } from './semaphore.ts';

/** Work that ends when `finish` is called. */
function openWork() {
  const started: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const work = (name: string) => async () => {
    started.push(name);
    await promise;
    return name;
  };
  return { started, work, finish: resolve };
}

const full = (): Error => new Error('full');

test('work beyond the concurrency waits, and is refused when the queue is full', async () => {
  const semaphore = createSemaphore({ concurrency: 2, maxWaiting: 2, full });
  const { started, work, finish } = openWork();
  const accepted = ['a', 'b', 'c', 'd'].map((name) => semaphore.run(work(name)));
  await expect(semaphore.run(work('e'))).rejects.toThrow('full');
  expect(started).toEqual(['a', 'b']);
  finish();
  expect(await Promise.all(accepted)).toEqual(['a', 'b', 'c', 'd']);
  expect(started).toEqual(['a', 'b', 'c', 'd']);
});

test('work that fails releases its slot', async () => {
  const semaphore = createSemaphore({ concurrency: 1, maxWaiting: 1, full });
  const failing = semaphore.run(() => Promise.reject(new Error('broken')));
  const next = semaphore.run(async () => 'next');
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toBe('next');
  expect(await semaphore.run(async () => 'again')).toBe('again');
});
