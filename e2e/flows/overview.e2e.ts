import type { Page } from '@playwright/test';
import axe from 'axe-core';
import { newToken } from '../fixtures/operator.ts';
import { expect, test } from '../fixtures/test.ts';

const overviewOf = ({ projectId }: { readonly projectId: string }) => `/projects/${projectId}/overview`;

/** The links of the page to lists of devices whose text or name ends with a number, with that number. */
async function countedLinks(page: Page): Promise<{ href: string; count: number }[]> {
  const links = await page
    .getByRole('main')
    .getByRole('link', { name: /^[\d,]+( \S+| (Waiting for a certificate))?$/ })
    .all();
  return Promise.all(
    links.map(async (link) => ({
      href: (await link.getAttribute('href')) ?? '',
      count: Number(((await link.textContent()) ?? '').replaceAll(',', '')),
    })),
  );
}

/** How many devices the list at an address has. */
async function listed(page: Page, href: string): Promise<number> {
  await page.goto(href);
  await page.getByRole('combobox', { name: 'Filter by name or ID' }).waitFor();
  await expect(
    page
      .getByRole('table', { name: 'Devices' })
      .or(page.getByText(/^No (devices|results)/))
      .first(),
  ).toBeVisible();
  return page.getByRole('table', { name: 'Devices' }).getByRole('link', { name: /^View/ }).count();
}

test('every number of the overview is the count of the list that it leads to', async ({
  signedIn: page,
  hub,
  operator,
  project,
  devices,
  connected,
}) => {
  const { token } = await newToken(operator, project);
  const stopped = (await devices.make(hub, token)).run();
  await stopped.connected();
  await stopped.stop();
  const pending = await newToken(operator, project, { name: 'needs approval', autoAccept: false });
  (await devices.make(hub, pending.token)).run();
  await page.goto(overviewOf(project));
  const main = page.getByRole('main');
  await expect(main.getByRole('link', { name: '1 Waiting for a certificate' })).toBeVisible();
  await expect(main.getByRole('link', { name: '1 Disconnected' })).toBeVisible();
  await expect(main.getByText('1 of 3 connected')).toBeVisible();
  await expect(main.getByRole('row', { name: 'No site 3 1 1 1' })).toBeAttached();
  await expect(main.getByRole('link', { name: /^1 device waits for your decision/ })).toBeVisible();
  const links = await countedLinks(page);
  expect(links.length).toBeGreaterThanOrEqual(5);
  for (const { href, count } of links) expect(await listed(page, href), href).toBe(count);

  await page.goto(overviewOf(project));
  await main.getByRole('img', { name: /^1 of 3 devices connected/ }).focus();
  await expect(page.getByRole('status').filter({ hasText: 'No site: 1 of 3 connected' })).toBeVisible();
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowUp'])
    await page.keyboard.press(key);
  await expect(page.getByRole('status').filter({ hasText: /Connected|Disconnected|Waiting/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/devices\/d_\w+$/);

  await page.goto(overviewOf(project));
  await expect(main.getByText('1 of 3 connected')).toBeVisible();
  await connected.agent.stop();
  await expect(main.getByText('0 of 3 connected'), 'live').toBeVisible();
});

test('the overview is the first entry of the sidebar, and the index still leads to the devices', async ({
  signedIn: page,
  project,
}) => {
  await page.goto(`/projects/${project.projectId}`);
  await expect(page).toHaveURL(`/projects/${project.projectId}/devices`);
  const entries = page.getByRole('navigation', { name: 'Project' }).getByRole('link');
  await page.getByRole('link', { name: 'Overview' }).click();
  await expect(page).toHaveURL(overviewOf(project));
  await expect(page.getByRole('heading', { name: 'No devices yet' })).toBeVisible();
  expect(await entries.first().textContent()).toContain('Overview');
  await page.getByRole('main').getByRole('link', { name: 'Connect a device' }).click();
  await expect(page.getByRole('heading', { name: 'Connect your first device' })).toBeVisible();
});

test('nothing scrolls sideways at 320 and 390 px, nor in the page with texts twice as large, and axe finds nothing in either theme', async ({
  viewPages: {
    member: { page },
  },
  seededProject,
}) => {
  await page.goto(overviewOf(seededProject));
  for (const width of [320, 390, 1280])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await expect(page.getByRole('img', { name: /devices connected, in/ })).toBeVisible();
      await page.evaluate(axe.source);
      const { violations } = await page.evaluate<{ violations: { id: string }[] }>('axe.run(document.body)');
      expect(violations.map(({ id }) => id)).toEqual([]);
      const wider = (element: string) =>
        page.evaluate<number>(`${element}.scrollWidth - ${element}.clientWidth`);
      await expect.poll(() => wider('document.documentElement'), `${width} px`).toBeLessThanOrEqual(0);
      if (width < 1280) continue;
      await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
      await expect
        .poll(() => wider(`document.querySelector('main')`), 'texts of 200 %')
        .toBeLessThanOrEqual(0);
      await page.evaluate(`document.documentElement.style.fontSize = ''`);
    }
});
