import { randomBytes } from 'node:crypto';
import axe from 'axe-core';
import { expect, test } from '../fixtures/test.ts';

test('devices that are labelled together are found by their badge, saved as a view with its count in the sidebar, and a group of the overview', async ({
  signedIn: page,
  operator,
  project: { projectId },
}) => {
  for (let index = 0; index < 5; index += 1) {
    const fingerprint = `d_sk_${randomBytes(22).toString('hex').replaceAll('0', 'z')}` as const;
    const { deviceId } = await operator.invoke('devices_CreateDevice', { projectId, fingerprint });
    await operator.invoke('devices_SetDeviceName', { deviceId, name: `pump ${index}` });
    await operator.invoke('devices_SetDeviceMetadata', { deviceId, metadata: { serial: `s${index}` } });
  }
  await page.goto(`/projects/${projectId}/devices?columns=status.labels`);
  for (const index of [1, 2, 4]) await page.getByRole('checkbox', { name: `Select pump ${index}` }).check();
  await page.getByRole('button', { name: 'Set label…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set a label of 3 devices' });
  await dialog.getByRole('textbox', { name: 'Label' }).fill('site');
  await dialog.getByRole('textbox', { name: 'Value' }).fill('Elm "Park": 7');
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<{ violations: { id: string }[] }>('axe.run(document.body)');
  expect(violations.map(({ id }) => id)).toEqual([]);
  await dialog.getByRole('button', { name: 'Set label' }).click();
  await expect(page.getByText('was set on 3 devices')).toBeVisible();

  const badge = page.getByRole('link', { name: 'site: Elm "Park": 7' });
  await expect(badge).toHaveCount(3);
  await badge.first().click();
  await expect(page.getByText('3 devices match')).toBeVisible();
  await page.getByRole('button', { name: 'Options for Devices' }).click();
  await page.getByRole('menuitem', { name: 'Save view…' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Elm Park');
  await page.keyboard.press('Enter');
  const views = page.getByRole('list', { name: 'Saved views of the devices' });
  const view = views.getByRole('link', { name: 'Elm Park 3' });
  await expect(view).toHaveAttribute('aria-current', 'page');

  await page.goto(`/projects/${projectId}/overview`);
  await expect(page.getByRole('row', { name: 'Elm "Park": 7 3 0 3' })).toBeAttached();
  await page.getByRole('button', { name: 'Grouped by site' }).click();
  await expect(page.getByRole('menuitemradio', { name: 'serial' })).toHaveCount(0);
  await page.getByRole('menuitemradio', { name: 'No grouping' }).click();
  await expect(page).toHaveURL(/[?&]by=/u);
  await expect(page.getByRole('row', { name: 'All devices 5 0 5' })).toBeAttached();
  await view.click();
  await expect(page.getByText('3 devices match')).toBeVisible();

  await page.setViewportSize({ width: 390, height: 844 });
  await expect(views).toHaveCount(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});
