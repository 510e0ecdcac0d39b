import type { Page } from '@playwright/test';
import { newToken } from '../fixtures/operator.ts';
import { expect, refusedWith, test } from '../fixtures/test.ts';

/** Adds up how far parts of the page move by themselves. */
const shifts = `window.moved = 0;
  new PerformanceObserver((list) => { for (const { value } of list.getEntries()) window.moved += value; })
    .observe({ type: 'layout-shift', buffered: true });`;

for (const width of [1280, 390])
  test(`nothing on the sign-in page moves when it loads and when a sign-in fails, at ${width} px`, async ({
    page,
    expectedConsoleErrors,
  }) => {
    expectedConsoleErrors.push(refusedWith(401));
    await page.setViewportSize({ width, height: 860 });
    await page.addInitScript({ content: shifts });
    await page.goto('/login');
    await page.getByLabel('Email').fill('nobody@example.org');
    await page.getByLabel('Password (required)').fill('a wrong password');
    const places = () =>
      Promise.all(
        [page.getByRole('heading'), page.getByRole('main').getByRole('button')].map((part) =>
          part.last().boundingBox(),
        ),
      );
    const before = await places();
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await expect(page.getByRole('alert')).toContainText('Invalid username or password!');
    expect(await places()).toEqual(before);
    expect(await page.evaluate<number>('window.moved')).toBeLessThan(0.001);
  });

test('Cancel closes a dialog at the first click while a wrong field has the focus', async ({
  signedIn: page,
  project,
}) => {
  await page.goto(`/projects/${project.projectId}/settings`);
  await page.getByRole('button', { name: 'Rename Project' }).click();
  const dialog = page.getByRole('dialog', { name: /^Rename/ });
  await dialog.getByLabel('Name (required)').fill('');
  const box = await dialog.getByRole('button', { name: 'Cancel' }).boundingBox();
  // Near the upper edge, where the message of the field would move the button away.
  await page.mouse.click((box?.x ?? 0) + 20, (box?.y ?? 0) + 4);
  await expect(dialog).toBeHidden();
});

test('the banner covers the whole width of public pages', async ({ page, startHub }) => {
  const hub = await startHub({ CORRAL_BANNER: 'Maintenance on <b>Sunday</b>' });
  await page.setViewportSize({ width: 1280, height: 800 });
  for (const path of ['/login', '/signup', '/reset-password']) {
    await page.goto(hub.url + path);
    const banner = await page
      .getByText('Maintenance on Sunday')
      .locator('xpath=ancestor::section')
      .boundingBox();
    expect(banner, path).toMatchObject({ x: 0, y: 0, width: 1280 });
  }
});

/** The texts of the rows that a toast covers. */
const covered = `(() => {
  const toasts = [...document.querySelectorAll('[data-toasts] > *')].map((toast) => toast.getBoundingClientRect());
  return [...document.querySelectorAll('main tr, main li, main article')].filter((row) => {
    const box = row.getBoundingClientRect();
    return toasts.some((toast) => toast.left < box.right && toast.right > box.left && toast.top < box.bottom && toast.bottom > box.top);
  }).map((row) => row.textContent);
})()`;

for (const width of [390, 820, 1024, 1280, 1440])
  test(`a toast covers no row at the end of a page of ${width} px`, async ({
    signedIn: page,
    operator,
    project,
  }) => {
    for (let number = 1; number <= 25; number += 1)
      await newToken(operator, project, { name: `Site ${number}` });
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`/projects/${project.projectId}/tokens`);
    await page.getByRole('switch').first().click();
    await toast(page).waitFor();
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    await expect.poll(() => page.evaluate<string[]>(covered)).toEqual([]);
  });

const toast = (page: Page) => page.getByRole('region', { name: 'Notifications' }).getByRole('button').first();
