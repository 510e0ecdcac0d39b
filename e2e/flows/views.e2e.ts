import { expect, test } from '../fixtures/test.ts';

test('"Copy link to this view": the link opens the same list', async ({
  signedIn: page,
  context,
  project,
  connected: _connected,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`/projects/${project.projectId}/devices`);
  await page.getByRole('button', { name: /^Disconnected/ }).click();
  await expect(page.getByText('Nothing matches')).toBeVisible();
  await page.getByRole('button', { name: 'Options for Devices' }).click();
  await page.getByRole('menuitem', { name: 'Copy link to this view' }).click();
  const link = await page.evaluate<string>('navigator.clipboard.readText()');
  const other = await context.newPage();
  await other.goto(link);
  await expect(other.getByText('Nothing matches')).toBeVisible();
  await expect(other.getByRole('button', { name: /^Disconnected/ })).toHaveAttribute('aria-pressed', 'true');
});

test.describe('far from UTC', () => {
  test.use({ timezoneId: 'Asia/Kolkata' });

  test('absolute times use the time zone chosen in the profile', async ({ signedIn: page, project }) => {
    const log = `/projects/${project.projectId}/log`;
    const openEntry = async () => {
      await page.goto(log);
      await page.getByRole('row').nth(1).waitFor();
      await page.keyboard.press('j');
      await page.keyboard.press('Enter');
      return page.getByRole('dialog').locator('time').last();
    };
    const local = await openEntry();
    const at = (await local.getAttribute('datetime')) ?? '';
    const clock = (timeZone: string) => new Date(at).toLocaleTimeString('en-GB', { timeZone });
    await expect(local).toContainText(clock('Asia/Kolkata'));
    await page.goto('/settings/profile');
    await expect(page.getByText(/Local is Asia\/(Kolkata|Calcutta), UTC\+5:30/)).toBeVisible();
    await page.getByRole('group', { name: 'Time zone' }).getByRole('button', { name: 'UTC' }).click();
    await expect(await openEntry()).toContainText(`${clock('UTC')} UTC`);
  });
});

test('a device lists how its connections ended', async ({ signedIn: page, connected }) => {
  await page.goto(connected.path);
  const table = page.getByRole('table', { name: 'Recent Connections' });
  await expect(table.getByText('Connected', { exact: true })).toBeVisible();
  await connected.agent.stop();
  await expect(table.getByText('Disconnected', { exact: true })).toBeVisible();
  await expect(page.getByText('No connections.')).toBeVisible();
});

test('a device whose agent was stopped says why it is offline, with what led to it', async ({
  signedIn: page,
  connected,
}) => {
  await page.goto(connected.path);
  await page.getByRole('link', { name: 'Timeline' }).click();
  const entries = page.getByRole('list', { name: 'Timeline' });
  await expect(entries.getByText('Connected', { exact: true })).toBeVisible();
  await expect(page.getByText('Why offline?')).toHaveCount(0);
  await connected.agent.stop();
  const why = page.getByRole('region', { name: 'Why offline?' });
  await expect(why).toContainText('The device closed its connection itself');
  await expect(why.getByRole('listitem').filter({ has: page.locator('code') })).toHaveCount(3);
  await why.getByRole('link', { name: /^Disconnected after/ }).click();
  await expect(page).toHaveURL(/at=/);
  await expect(entries.getByText(/^Disconnected after/)).toBeVisible();
  await page.getByRole('button', { name: 'Show the newest' }).click();
  await expect(page).not.toHaveURL(/at=/);
});
