import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './tools/longest-first.ts';
import { figures, isDeep } from './tools/test-figures.ts';
import { testRetries } from './tools/test-retries.ts';

/**
 * These mock the password hash to count its calls, or watch a process start its threads: both hold only where nothing has loaded the modules
 * before.
 */
const isolated = [
  'hub/src/auth/password.test.ts',
  'hub/src/domains/users/actions/{InitiateUserSession,RegisterUser,SetUserPassword}.test.ts',
];
// The programs that tests start compile their modules once for all processes.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/compiled');
const never = ['**/node_modules/**', '**/dist/**'];
/** Each step costs a start of the hub; `npm run test:deep` runs them. */
const deepOnly = isDeep ? [] : ['hub/**/*.deep.test.ts'];
const settings = {
  environment: 'node',
  retry: testRetries,
  testTimeout: isDeep ? 3_600_000 : 180_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 60_000 } },
  setupFiles: ['tools/test-waits.ts'],
  provide: { figures },
};

export default defineConfig({
  test: {
    // More workers than cores, because many files wait for processes, databases and timers.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'node',
          include: ['{contract,multiplex,expressions,client,cli,agent,fuzz,tools}/**/*.test.ts'],
          exclude: never,
          globalSetup: ['tools/build-programs-setup.ts'],
          isolate: false,
          ...settings,
        },
      },
      {
        test: {
          name: 'hub',
          include: ['hub/**/*.test.ts'],
          exclude: [...never, ...isolated, ...deepOnly],
          globalSetup: ['hub/test/global-setup.ts'],
          isolate: false,
          ...settings,
        },
      },
      {
        test: {
          name: 'hub, isolated',
          include: isolated,
          globalSetup: ['hub/test/global-setup.ts'],
          ...settings,
        },
      },
      'console/vitest.config.ts',
    ],
  },
});
