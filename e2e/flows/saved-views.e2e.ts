import type { Page } from '@playwright/test';
import { expect, test, useSession } from '../fixtures/test.ts';

const heads = (page: Page) => page.getByRole('columnheader');
const openViews = (page: Page) => page.getByRole('button', { name: 'Options for Devices' }).click();

test('hidden columns stay hidden, and a saved view is on every browser of its user until it is deleted', async ({
  signedIn: page,
  browser,
  hub,
  operator,
  project,
  connected: _connected,
}) => {
  const list = `/projects/${project.projectId}/devices`;
  await page.goto(list);
  await openViews(page);
  await page.getByRole('menuitemcheckbox', { name: 'First Seen' }).click();
  await page.keyboard.press('Escape');
  const shown = ['Name', 'Id', 'Last Seen', 'Status', 'Pending Certificates', 'Actions', 'Actions'];
  await expect(heads(page)).toHaveText(shown);
  await expect(page.getByRole('cell', { name: 'now', exact: true })).toBeVisible();
  await page.reload();
  await expect(heads(page)).toHaveText(shown);

  await page.getByRole('button', { name: /^Connected/ }).click();
  await page.getByRole('button', { name: 'Last Seen' }).click();
  await openViews(page);
  await expect(
    page.getByText('You can save the current filter, sort order and columns under a name.'),
  ).toBeVisible();
  await page.getByRole('menuitem', { name: 'Save view…' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Online');
  await page.keyboard.press('Enter');
  await expect(page.getByText('View “Online” was saved')).toBeVisible();

  const context = await browser.newContext({ baseURL: hub.url });
  const other = await context.newPage();
  await useSession(other, hub, operator.cookie);
  await other.goto(list);
  await openViews(other);
  await other.getByRole('menuitem', { name: 'Online' }).click();
  await expect(heads(other)).toHaveText(shown);
  await expect(other.getByRole('columnheader', { name: 'Last Seen' })).toHaveAttribute(
    'aria-sort',
    'ascending',
  );
  await expect(other.getByRole('button', { name: /^Connected/ })).toHaveAttribute('aria-pressed', 'true');

  await openViews(other);
  await other.getByRole('menuitem', { name: 'Delete “Online”' }).click();
  await expect(other.getByText('View “Online” was deleted')).toBeVisible();
  await openViews(page);
  await expect(
    page.getByText('You can save the current filter, sort order and columns under a name.'),
  ).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Online' })).toHaveCount(0);
  await context.close();
});
