import { beforeEach, expect, test, vi } from 'vitest';
import { reloadOnceForMissingChunks } from './reload-once.ts';
import { connectToasts, type ToastRequest } from './ui/overlay/toast.ts';

const reload = vi.fn();
const toasts: ToastRequest[] = [];
let isThere = true;

connectToasts({ add: (toast) => toasts.push(toast) });
reloadOnceForMissingChunks({ reload, isHubThere: async () => isThere });

beforeEach(() => {
  isThere = true;
  sessionStorage.clear();
  reload.mockClear();
  toasts.length = 0;
});

/** What the build's loader does when a chunk is missing; answers the error that it goes on to throw. */
async function missChunk(): Promise<Error> {
  const payload = new Error('Failed to fetch dynamically imported module: /assets/log-1.js');
  window.dispatchEvent(Object.assign(new Event('vite:preloadError', { cancelable: true }), { payload }));
  await Promise.resolve();
  await Promise.resolve();
  return payload;
}

test('a chunk that is gone reloads the page once', async () => {
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

test('while the hub is away nothing is reloaded, and the error says so in words', async () => {
  isThere = false;
  const error = await missChunk();
  expect(reload).not.toHaveBeenCalled();
  expect(error.message).toMatch(/because the hub cannot be reached/);
});
