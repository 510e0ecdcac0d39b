import axe from 'axe-core';
import { connectDevice } from '../fixtures/connected-device.ts';
import { expect, test } from '../fixtures/test.ts';

test('an operation on chosen devices is previewed, started, watched to its end, and found on the device', async ({
  signedIn: page,
  operator,
  hub,
  devices,
  project,
}) => {
  const { projectId } = project;
  const { deviceId, path } = await connectDevice({ hub, operator, devices, project });
  await operator.invoke('devices_SetDeviceName', { deviceId, name: 'press-0117' });
  async function expectAccessible(): Promise<void> {
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate<{ violations: { id: string }[] }>('axe.run(document.body)');
    expect(violations.map(({ id }) => id)).toEqual([]);
  }

  await page.goto(`/projects/${projectId}/operations`);
  await expect(page.getByRole('heading', { name: 'No operations' })).toBeVisible();
  await page.goto(`/projects/${projectId}/devices`);
  await page.getByRole('checkbox', { name: 'Select press-0117' }).check();
  await page.getByRole('button', { name: 'Run…' }).click();
  await expect(page.getByText('1 device chosen in the list')).toBeVisible();
  await page.getByRole('radio', { name: /^Set a property/u }).check();
  await expect(page.getByText('Name a property').last()).toBeVisible();
  await page.getByRole('textbox', { name: 'Property' }).fill('press.ring');
  await page.getByRole('textbox', { name: 'Value as JSON' }).fill('"canary"');
  await expect(page.getByRole('region', { name: 'What changes' })).toContainText('press.ring');
  await expectAccessible();
  await page.getByRole('button', { name: 'Start on 1 device' }).click();

  await expect(page.getByRole('heading', { name: 'Set press.ring', level: 1 })).toBeVisible();
  await expect(page.getByText('on 1 device in')).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('img', { name: '1 succeeded' })).toBeVisible();
  await expectAccessible();
  await page.getByRole('table', { name: 'Devices of the operation' }).getByText('press-0117').click();
  const drawer = page.getByRole('dialog', { name: 'press-0117' });
  await expect(drawer.getByRole('listitem', { name: 'Step 1: Set press.ring' })).toContainText('Succeeded');
  await expect(drawer.getByText('by the hub')).toBeVisible();
  await expectAccessible();
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);

  await page.goto(`${path}?tab=operations`);
  await expect(page.getByText('This device offers no commands.')).toBeVisible();
  await expect(page.getByText('Set press.ring').last()).toBeVisible();
  await expectAccessible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});
