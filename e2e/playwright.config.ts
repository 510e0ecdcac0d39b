import { defineConfig } from '@playwright/test';

/** The browser of the machine; nothing is ever downloaded. The test runner names it when it is somewhere else. */
const executablePath = process.env['CORRAL_CHROMIUM'] ?? '/usr/bin/chromium';

export default defineConfig({
  testDir: './flows',
  testMatch: '*.e2e.ts',
  // The tests name the browser that a picture belongs to.
  snapshotPathTemplate: '{testDir}/../snapshots/{arg}{ext}',
  fullyParallel: false,
  workers: 2,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  use: {
    // Recording every test to keep the failed ones costs a fifth of the run; `--trace on` records one that is looked into.
    trace: 'off',
    screenshot: 'only-on-failure',
    actionTimeout: 10_000,
    navigationTimeout: 20_000,
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
      ],
    },
  },
});
