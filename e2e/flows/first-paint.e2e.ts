import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures/test.ts';

const outline = '#first-paint';

/** Holds back the code and the style sheet of the console; returns a function that lets them through. */
async function holdBackAssets(page: Page): Promise<() => void> {
  const released = Promise.withResolvers<void>();
  await page.route(/\/assets\/.*\.(js|css)$/, async (route) => {
    await released.promise;
    await route.continue();
  });
  return released.resolve;
}

/** The names of the scripts that a page loads, without the hash of the build. */
function scriptsOf(page: Page): string[] {
  const names: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'script')
      names.push(new URL(request.url()).pathname.replace(/-[\w-]{8}(?=\.js$)/, ''));
  });
  return names;
}

for (const colorScheme of ['light', 'dark'] as const)
  test(`before its code and styles have arrived, /login shows mark and form in outline, ${colorScheme}`, async ({
    page,
    hub,
  }) => {
    await page.emulateMedia({ colorScheme });
    const release = await holdBackAssets(page);
    await page.goto(`${hub.url}/login`, { waitUntil: 'commit' });
    await expect(page.locator(`${outline} b`)).toHaveText('Corral');
    await expect(page.locator(`${outline} svg`)).toBeVisible();
    const painted = await page.evaluate(
      `new Promise((resolve) => new PerformanceObserver((list) => resolve(list.getEntries().map(({ name }) => name)))
        .observe({ type: 'paint', buffered: true }))`,
    );
    expect(painted).toContain('first-contentful-paint');
    await expect(page.locator('html')).toHaveCSS(
      'background-color',
      colorScheme === 'light' ? 'rgb(246, 243, 236)' : 'rgb(21, 19, 14)',
    );
    release();
    await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
    await expect(page.locator(outline)).toBeHidden();
  });

test('a user sees the header of a page in outline, beside the sidebar where the page has sections', async ({
  signedIn: page,
  hub,
  project,
}) => {
  await page.goto(`${hub.url}/projects`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const release = await holdBackAssets(page);
  await page.goto(`${hub.url}/projects/${project.projectId}/devices`, { waitUntil: 'commit' });
  await expect(page.locator(`${outline} p`)).toHaveCSS('height', '51px');
  await expect(page.locator(`${outline} aside`)).toBeVisible();
  release();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator(outline)).toBeHidden();
});

test('/login loads no code of the signed-in pages', async ({ page, hub }) => {
  const scripts = scriptsOf(page);
  await page.goto(`${hub.url}/login`);
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  await expect.poll(() => scripts).toContain('/assets/Toasts.js');
  await page.waitForLoadState('networkidle');
  expect(scripts.filter((name) => /\/(?:signed-in|pages|devices)\.js$/.test(name))).toEqual([]);
});

test('the devices of a project show after at most twelve scripts', async ({
  signedIn: page,
  hub,
  project,
  connected: _connected,
}) => {
  const scripts = scriptsOf(page);
  await page.goto(`${hub.url}/projects/${project.projectId}/devices`);
  await expect(page.getByRole('row')).not.toHaveCount(0);
  await page.waitForLoadState('networkidle');
  // The bell of the header is loaded once the page is idle.
  const needed = scripts.filter((name) => name !== '/assets/AlertBell.js');
  expect(needed.length, needed.join('\n')).toBeLessThanOrEqual(12);
});
