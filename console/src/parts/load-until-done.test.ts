import { expect, test, vi } from 'vitest';
import { loadUntilDone } from './load-until-done.ts';

test('code that nobody waits for is loaded again after a failure, until it is there', async () => {
  vi.useFakeTimers();
  try {
    let isReachable = false;
    const load = vi.fn(() =>
      isReachable ? Promise.resolve('toasts') : Promise.reject(new TypeError('offline')),
    );
    const loaded = vi.fn();
    void loadUntilDone(load)().then(loaded, loaded);
    await vi.advanceTimersByTimeAsync(11_000);
    expect(load).toHaveBeenCalledTimes(3);
    expect(loaded).not.toHaveBeenCalled();
    isReachable = true;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(loaded).toHaveBeenCalledWith('toasts');
  } finally {
    vi.useRealTimers();
  }
});
