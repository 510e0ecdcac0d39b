import { expectAccessible } from '../fixtures/expect-accessible.ts';
import { connectDevice } from '../fixtures/connected-device.ts';
import { expect, test } from '../fixtures/test.ts';

test('"Certificate authorities": an owner makes one, the agent of a device gets its certificate, and the project demands it', async ({
  signedIn: page,
  hub,
  operator,
  devices,
  project,
}) => {
  await page.goto(`/projects/${project.projectId}/settings#certificates`);
  await expect(page.getByText('No certificate authority')).toBeInViewport();
  await page.getByRole('button', { name: 'New Authority' }).click();
  const form = page.getByRole('dialog', { name: 'New Authority' });
  await form.getByLabel('Name (required)').fill('Plant');
  await expectAccessible(page);
  await form.getByRole('button', { name: 'New Authority' }).click();
  await expect(
    page.getByRole('table', { name: 'Certificate authorities' }).getByText('Issues'),
  ).toBeVisible();

  const { agent, path } = await connectDevice({ hub, operator, devices, project });
  await agent.connectedAgain();
  await expect(page.getByText(/1 device holds one of an authority, 0 do not/)).toBeVisible();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Actions for Plant' }).click();
  await page.getByRole('menuitem', { name: 'Download certificate' }).click();
  expect((await download).suggestedFilename()).toBe('Plant.pem');

  await page.getByRole('button', { name: 'Change Rules' }).click();
  const rules = page.getByRole('dialog', { name: 'Certificates of devices' });
  await expect(rules).toContainText('1 device holds a certificate of an authority. None has only others.');
  await rules.getByRole('checkbox', { name: /^Devices need/ }).check();
  await rules.getByLabel(/^Other certificates count/).fill('0');
  await rules.getByRole('button', { name: 'Change Rules' }).click();
  await expect(page.getByText(/^Devices need a certificate of an authority/).first()).toBeVisible();
  await expectAccessible(page);

  await page.goto(path);
  const certificates = page.getByRole('table', { name: 'Certificates' });
  await expect(certificates.getByText(/^issued by Plant, ends/)).toBeVisible();
  await expect(certificates.getByText(/^ended/)).toBeVisible();
  await expect(page.getByText('Connected', { exact: true }).first()).toBeVisible();
});
