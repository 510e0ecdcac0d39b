import { hostname } from 'node:os';
import { expect, refusedWith, test } from '../fixtures/test.ts';

test('the filter of devices is completed by keyboard and mouse, and a mistake is shown at its place while the devices stay', async ({
  signedIn: page,
  operator,
  project,
  connected,
  expectedConsoleErrors,
}) => {
  // A field that does not exist is refused by the hub.
  expectedConsoleErrors.push(refusedWith(400));
  const property = { deviceId: connected.deviceId, name: 'site.region', value: 'north' };
  await operator.invoke('devices_SetDeviceProperty', property);
  await page.goto(`/projects/${project.projectId}/devices`);
  const field = page.getByRole('combobox', { name: 'Filter by name or ID' });
  const option = page.getByRole('option');
  const view = page.getByRole('link', { name: /^View/ });
  const mistake = page.locator('mark');
  await expect(view).toHaveCount(1);

  await page.keyboard.press('/');
  await page.keyboard.type('host');
  await expect(option).toHaveText(['hostnamename that the device reports']);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(field).toHaveValue('hostname:');
  await page.keyboard.type(hostname());
  await expect(page).toHaveURL(/q=hostname/);
  await expect(view).toHaveCount(1);
  await page.keyboard.type('-elsewhere');
  await expect(page.getByText('Nothing matches')).toBeVisible();

  await field.fill('');
  await page.keyboard.type('region');
  await option.filter({ hasText: 'site.region' }).click();
  await page.keyboard.type('north sta');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  await page.keyboard.type('hea');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(field).toHaveValue('site.region:north status:healthy');
  await expect(view).toHaveCount(1);

  await page.keyboard.type(' offline:7d');
  const comparison =
    'The filter has a mistake at character 34: "offline" can be compared by <, <=, > and >= only.';
  await expect(page.locator('p', { hasText: comparison })).toBeVisible();
  await expect(field).toHaveAccessibleDescription(comparison);
  await expect(mistake).toHaveText('offline');
  await expect(view).toHaveCount(1);

  await page.getByRole('button', { name: /^Connected/ }).click();
  await field.fill('up siet.region:north');
  await expect(
    page.locator('p', {
      hasText: 'The filter has a mistake at character 4: there is no field "siet.region"',
    }),
  ).toBeVisible();
  await expect(mistake).toHaveText('siet.region');
  await expect(view).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(mistake).toHaveCount(0);
  await expect(field).not.toHaveAttribute('aria-invalid');
});
