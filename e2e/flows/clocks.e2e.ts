import { expect, test } from '../fixtures/test.ts';

const dayMs = 86_400_000;

for (const [offset, offsetMs] of [
  ['3 hours behind', -dayMs / 8],
  ['100 days behind', -100 * dayMs],
  ['400 days ahead', 400 * dayMs],
] as const)
  test(`in a browser whose clock is ${offset}, pages show the hub's time and tokens can be made`, async ({
    signedIn: page,
    project,
    connected,
  }) => {
    await page.clock.setFixedTime(Date.now() + offsetMs);
    await page.goto(`/projects/${project.projectId}/devices`);
    const table = page.getByRole('table', { name: 'Devices' });
    await expect(table.locator('time').first()).toHaveText('just now');
    await page.goto(`/projects/${project.projectId}/devices/${connected.deviceId}`);
    await expect(page.getByText(/^\d+ s$/).first()).toBeVisible();
    await page.goto('/settings/security');
    await page.getByRole('button', { name: 'New Token' }).click();
    const dialog = page.getByRole('dialog', { name: 'New Token' });
    await dialog.getByLabel('Name (required)').fill(`Clock ${offset}`);
    await dialog.getByRole('button', { name: 'New Token' }).click();
    await page.getByRole('button', { name: 'I stored it' }).click();
    const row = page.getByRole('row').filter({ hasText: `Clock ${offset}` });
    await expect(row).toContainText(new Date(Date.now() + 90 * dayMs).getUTCFullYear().toString());
    await expect(row).not.toContainText('Expired');
  });
