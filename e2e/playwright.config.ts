import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { isDeep } from '../tools/test-figures.ts';
import { testRetries } from '../tools/test-retries.ts';

/** The browser of this machine; none is downloaded. The test runner passes the path of the one that it found. */
const executablePath = process.env['CORRAL_CHROMIUM'] ?? '/usr/bin/chromium';

export default defineConfig({
  testDir: './flows',
  testMatch: '*.e2e.ts',
  globalSetup: './fixtures/global-setup.ts',
  // The tests put the browser's version into `arg`.
  snapshotPathTemplate: '{testDir}/../snapshots/{arg}{ext}',
  fullyParallel: true,
  ...(!isDeep && { grepInvert: /@deep/ }),
  retries: testRetries,
  // More workers than cores, because many flows wait for processes, devices and timers.
  workers: Math.ceil(availableParallelism() * 1.5),
  // Every wait ends with its condition, so long timeouts cost nothing; a busy machine needs them.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  use: {
    // Recording all tests costs a fifth of the run; pass `--trace on` to investigate one.
    trace: 'off',
    screenshot: 'only-on-failure',
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    locale: 'en-GB',
    timezoneId: 'UTC',
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--font-render-hinting=none',
        '--disable-lcd-text',
        // A name that is no loopback address, for plain HTTP without a secure context.
        '--host-resolver-rules=MAP plain.example 127.0.0.1',
      ],
    },
  },
});
