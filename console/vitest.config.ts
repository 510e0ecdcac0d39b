import { availableParallelism } from 'node:os';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { testRetries } from '../tools/test-retries.ts';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  test: {
    name: 'console',
    environment: 'jsdom',
    isolate: false,
    retry: testRetries,
    // As in the root's configuration; a project does not inherit it.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: ['../tools/test-waits.ts', './test/setup.ts'],
    css: false,
    testTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
