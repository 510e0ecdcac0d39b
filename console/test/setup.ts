import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeEach, expect, vi } from 'vitest';

// Lazily loaded modules take long on a busy machine.
configure({ asyncUtilTimeout: 5000 });

let consoleErrors: unknown[][] = [];

beforeEach(() => {
  consoleErrors = [];
  vi.spyOn(console, 'error').mockImplementation((...words: unknown[]) => void consoleErrors.push(words));
});

// A component that logs an error is broken, even if its test passes otherwise.
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  expect(consoleErrors, 'console.error was called').toEqual([]);
});
