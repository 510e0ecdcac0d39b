import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeEach, expect, vi } from 'vitest';

// A part that is loaded when it is wanted takes its time on a busy machine.
configure({ asyncUtilTimeout: 5000 });

let complaints: unknown[][] = [];

beforeEach(() => {
  complaints = [];
  vi.spyOn(console, 'error').mockImplementation((...words: unknown[]) => void complaints.push(words));
});

// A component that complains to the console is broken, whatever else its test proves.
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  expect(complaints, 'console.error was called').toEqual([]);
});
