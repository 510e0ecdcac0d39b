import { beforeEach, expect, test, vi } from 'vitest';
import { reloadOnceForMissingChunks } from './reload-once.ts';
import { connectToasts, type ToastRequest } from './ui/overlay/toast.ts';

const reload = vi.fn();
const toasts: ToastRequest[] = [];
let isReachable = true;

connectToasts({ add: (toast) => toasts.push(toast) });
reloadOnceForMissingChunks({ reload, isHubReachable: async () => isReachable });

beforeEach(() => {
  isReachable = true;
  sessionStorage.clear();
  reload.mockClear();
  toasts.length = 0;
});

/** Dispatches Vite's event for a missing chunk; returns the error that Vite throws afterwards. */
async function missChunk(): Promise<Error> {
  const payload = new Error('Failed to fetch dynamically imported module: /assets/log-1.js');
  window.dispatchEvent(Object.assign(new Event('vite:preloadError', { cancelable: true }), { payload }));
  await Promise.resolve();
  await Promise.resolve();
  return payload;
}

test('a missing chunk reloads the page once', async () => {
  await missChunk();
  expect(reload).toHaveBeenCalledOnce();
  await missChunk();
  expect(reload).toHaveBeenCalledOnce();
  expect(toasts.map(({ title, action }) => [title, action?.label])).toEqual([
    ['Corral was updated', 'Reload to update'],
  ]);
  toasts[0]?.action?.onClick();
  expect(reload).toHaveBeenCalledTimes(2);
});

test('a chunk that stays missing, and is tried every 5 s, reloads the page once and shows one toast', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  for (let nth = 0; nth < 30; nth += 1) {
    await missChunk();
    vi.setSystemTime(Date.now() + 5_000);
  }
  expect(reload).toHaveBeenCalledOnce();
  expect(new Set(toasts.map(({ id }) => id)).size).toBe(1);
  vi.setSystemTime(Date.now() + 61_000);
  await missChunk();
  expect(reload).toHaveBeenCalledTimes(2);
  vi.useRealTimers();
});

test('while the hub is unreachable the page is not reloaded, and the error message says so', async () => {
  isReachable = false;
  const error = await missChunk();
  expect(reload).not.toHaveBeenCalled();
  expect(error.message).toMatch(/because the hub cannot be reached/);
});

test('a page that is being left is not reloaded, which would keep the user there', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  window.dispatchEvent(new Event('beforeunload'));
  await missChunk();
  expect(reload).not.toHaveBeenCalled();
  vi.setSystemTime(Date.now() + 11_000);
  await missChunk();
  expect(reload).toHaveBeenCalledOnce();
  vi.useRealTimers();
});
