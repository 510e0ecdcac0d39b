import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, beforeEach, expect, vi } from 'vitest';

// Lazily loaded modules take long on a busy machine.
configure({ asyncUtilTimeout: 30_000 });

// jsdom starts the interval of its frames on demand; one started on a fake clock would never fire again. So it runs throughout a file.
const { requestAnimationFrame } = window;
let frame = 0;
const requestFrames = (): void => void (frame = requestAnimationFrame(requestFrames));
requestFrames();

// What leaves by itself after some seconds (toasts, tints of changed rows) stays, however late a busy machine looks for it. Tests of time have fake timers.
const { setTimeout } = window;
const holdTimeout = (run: () => void, ms = 0, ...words: []): unknown =>
  ms < 1_000 || ms > 8_000 ? setTimeout(run, ms, ...words) : setTimeout(() => {});

let consoleErrors: unknown[][] = [];

beforeEach(() => {
  window.setTimeout = holdTimeout as typeof setTimeout;
  consoleErrors = [];
  vi.spyOn(console, 'error').mockImplementation((...words: unknown[]) => void consoleErrors.push(words));
});

// A component that logs an error is broken, even if its test passes otherwise.
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  // A test that says nothing else begins without a known user.
  localStorage.removeItem('corral.user');
  expect(consoleErrors, 'console.error was called').toEqual([]);
});

// The files of a worker share its window and its libraries, and each gets the console's own modules anew.
afterAll(() => {
  window.setTimeout = setTimeout;
  window.cancelAnimationFrame(frame);
  document.head.replaceChildren();
  document.body.replaceChildren();
  for (const element of [document.documentElement, document.head, document.body])
    for (const name of element.getAttributeNames()) element.removeAttribute(name);
  localStorage.clear();
  sessionStorage.clear();
  window.history.replaceState(null, '', '/');
  // jsdom has none; tests of the clipboard define it.
  Reflect.deleteProperty(window, 'isSecureContext');
  vi.resetModules();
});
