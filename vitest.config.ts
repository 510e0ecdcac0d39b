import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'node',
          environment: 'node',
          include: ['{contract,multiplex,client,cli,agent,fuzz,tools}/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/dist/**'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'hub',
          environment: 'node',
          include: ['hub/**/*.test.ts'],
          exclude: ['**/node_modules/**'],
          globalSetup: ['hub/test/global-setup.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      'console/vitest.config.ts',
    ],
  },
});
