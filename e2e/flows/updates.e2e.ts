import { newDataDir } from '../fixtures/folders.ts';
import { administrator } from '../fixtures/hub-process.ts';
import { expect, openSession, refusedWith, test } from '../fixtures/test.ts';

/** Replaces the version of a hub, so that two of one source stand for two releases. */
const otherVersion = `import { registerHooks } from 'node:module';
registerHooks({
  load: (url, context, next) =>
    url.endsWith('/hub/src/wiring/version.ts')
      ? { format: 'module', shortCircuit: true, source: "export const version = '99.0.0';" }
      : next(url, context),
});`;

test('an open page offers a reload when the hub was updated, and keeps its session', async ({
  startHub,
  page,
  expectedConsoleErrors,
}) => {
  // While it starts, the hub refuses with 503.
  expectedConsoleErrors.push(/^Failed to load resource: net::ERR_/, refusedWith(503));
  const dataDir = await newDataDir();
  const before = await startHub({}, dataDir);
  await openSession(page, before, administrator);
  await page.goto(`${before.url}/projects`);
  const state = page.getByRole('status').filter({ hasText: /^(Live|Polling|Offline)$/ });
  await expect(state).toHaveText('Live');
  expect(await before.stop()).toBe(0);
  await expect(state).toHaveText('Offline');
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(otherVersion)}`;
  await startHub({ CORRAL_PORT: new URL(before.url).port, NODE_OPTIONS }, dataDir);
  await expect(state).toHaveText('Live');
  await page.getByRole('link', { name: 'Repositories', exact: true }).click();
  const toast = page.getByRole('dialog', { name: 'Corral was updated' });
  await expect(toast).toBeVisible();
  await toast.getByRole('button', { name: 'Reload to update' }).click();
  await expect(toast).toBeHidden();
  await expect(page.getByRole('heading', { level: 1, name: 'Repositories' })).toBeVisible();
  await page.goto(`${before.url}/help`);
  await expect(page.getByText('This hub runs Corral 99.0.0.')).toBeVisible();
});
