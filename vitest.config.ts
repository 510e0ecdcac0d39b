import { defineConfig } from 'vitest/config';

/** These mock the password hash to count its calls; a mock holds only where nothing has loaded the module before. */
const mocked = [
  'hub/src/auth/password.test.ts',
  'hub/src/actions/users/{InitiateUserSession,RegisterUser,SetUserPassword}.test.ts',
];
const never = ['**/node_modules/**', '**/dist/**'];
const timeouts = { testTimeout: 30_000, hookTimeout: 60_000 };

export default defineConfig({
  test: {
    // Vitest by itself leaves one core free.
    maxWorkers: '100%',
    projects: [
      {
        test: {
          name: 'node',
          environment: 'node',
          include: ['{contract,multiplex,client,cli,agent,fuzz,tools}/**/*.test.ts'],
          exclude: never,
          isolate: false,
          ...timeouts,
        },
      },
      {
        test: {
          name: 'hub',
          environment: 'node',
          include: ['hub/**/*.test.ts'],
          exclude: [...never, ...mocked],
          globalSetup: ['hub/test/global-setup.ts'],
          isolate: false,
          ...timeouts,
        },
      },
      {
        test: {
          name: 'hub, isolated',
          environment: 'node',
          include: mocked,
          globalSetup: ['hub/test/global-setup.ts'],
          ...timeouts,
        },
      },
      'console/vitest.config.ts',
    ],
  },
});
