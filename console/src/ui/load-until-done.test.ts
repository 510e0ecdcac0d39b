import { expect, test, vi } from 'vitest';
import { loadUntilDone } from './load-until-done.ts';

test('code is loaded again after a failure, until it is there; the failure is told once', async () => {
  vi.useFakeTimers();
  try {
    let isReachable = false;
    const load = vi.fn(() =>
      isReachable ? Promise.resolve('toasts') : Promise.reject(new TypeError('offline')),
    );
    const [loaded, onFailure] = [vi.fn(), vi.fn()];
    void loadUntilDone(load, new AbortController().signal, onFailure).then(loaded, loaded);
    await vi.advanceTimersByTimeAsync(11_000);
    expect(load).toHaveBeenCalledTimes(3);
    expect(loaded).not.toHaveBeenCalled();
    isReachable = true;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(loaded).toHaveBeenCalledWith('toasts');
    expect(onFailure).toHaveBeenCalledTimes(1);
  } finally {
    vi.useRealTimers();
  }
});
