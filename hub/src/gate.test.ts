import { expect, test } from 'vitest';
import { createGate } from './gate.ts';

/** Work that ends when told. */
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

test('some work runs, some waits, and what finds the line full is refused', async () => {
  const gate = createGate(2, 2, () => new Error('full'));
  const { started, work, finish } = openWork();
  const accepted = ['a', 'b', 'c', 'd'].map((name) => gate.run(work(name)));
  await expect(gate.run(work('e'))).rejects.toThrow('full');
  expect(started).toEqual(['a', 'b']);
  finish();
  expect(await Promise.all(accepted)).toEqual(['a', 'b', 'c', 'd']);
  expect(started).toEqual(['a', 'b', 'c', 'd']);
});

test('work that fails makes room as well', async () => {
  const gate = createGate(1, 1, () => new Error('full'));
  const failing = gate.run(() => Promise.reject(new Error('broken')));
  const next = gate.run(async () => 'next');
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toBe('next');
  expect(await gate.run(async () => 'again')).toBe('again');
});
