import type { Page } from '@playwright/test';
import { cancelDialog } from '../fixtures/cancel-dialog.ts';
import { newToken } from '../fixtures/operator.ts';
import { expect, test } from '../fixtures/test.ts';

const tokens = (page: Page) => page.getByRole('table', { name: 'Tokens' });

test('a deployment token is created with a name, its secret is shown once, and "Deployment tokens created from the UI have autoAccept true"', async ({
  signedIn: page,
  hub,
  operator,
  project,
  devices,
}) => {
  await page.goto(`/projects/${project.projectId}/tokens`);
  await expect(page.getByText('No deployment tokens')).toBeVisible();
  await page.getByRole('button', { name: 'New Token' }).click();
  const dialog = page.getByRole('dialog', { name: 'New Token' });
  const submit = dialog.getByRole('button', { name: 'New Token' });
  await expect(submit).toBeDisabled();
  await dialog.getByLabel('Name (required)').fill('x');
  await dialog.getByLabel('Name (required)').fill('');
  await dialog.getByLabel('Name (required)').blur();
  await expect(dialog.getByText('Name must not be empty.')).toBeVisible();
  await dialog.getByLabel('Name (required)').fill('West gate');
  await submit.click();
  const shown = page.getByRole('dialog', { name: 'Deployment token created' });
  const secret = await shown.getByRole('status', { name: 'deployment token' }).innerText();
  expect(secret).toMatch(/^deployment_\w{66}$/);
  await page.keyboard.press('Escape');
  await expect(shown).toBeVisible();
  await shown.getByRole('button', { name: 'I stored it' }).click();
  await expect(shown).toBeHidden();
  const row = tokens(page).getByRole('row').filter({ hasText: 'West gate' });
  await expect(row.getByRole('switch', { name: 'Auto Accept of West gate' })).toBeChecked();
  await page.reload();
  await expect(row).toContainText('never');
  expect(await page.content()).not.toContain(secret);
  await (await devices.make(hub, secret)).run().connected();
  await expect(row).not.toContainText('never');
  const { tokens: listed } = await operator.invoke('projects_QueryProjectDeploymentTokens', {
    projectId: project.projectId,
  });
  expect(listed[0]).toMatchObject({ name: 'West gate', enrolledDevices: 1, flags: { autoAccept: true } });
});

test('Back closes a dialog and stays on the page; once a secret is shown, Back and a reload ask first', async ({
  signedIn: page,
  project,
}) => {
  await page.goto('/projects');
  await page.getByRole('link', { name: project.name }).click();
  await page
    .getByRole('link', { name: /^Tokens/ })
    .first()
    .click();
  const address = `/projects/${project.projectId}/tokens`;
  await expect(page).toHaveURL(address);
  await page.getByRole('button', { name: 'New Token' }).click();
  const form = page.getByRole('dialog', { name: 'New Token' });
  await form.getByLabel('Name (required)').fill('North gate');
  await page.goBack();
  await expect(form).toBeHidden();
  await expect(page).toHaveURL(address);
  await page.getByRole('button', { name: 'New Token' }).click();
  await form.getByLabel('Name (required)').fill('North gate');
  await form.getByRole('button', { name: 'New Token' }).click();
  const shown = page.getByRole('dialog', { name: 'Deployment token created' });
  await expect(shown).toBeVisible();
  await page.goBack();
  const question = page.getByRole('alertdialog', { name: 'Leave without the secret' });
  await expect(question).toBeVisible();
  await expect(page).toHaveURL(address);
  await page.goBack();
  await expect(question).toBeHidden();
  await expect(shown).toBeVisible();
  await expect(page).toHaveURL(address);
  await goBackTwice(page);
  await expect(question).toBeHidden();
  await expect(page).toHaveURL(address);
  await expect(shown).toBeVisible();
  const asked = page.waitForEvent('dialog');
  const reloaded = page.reload({ timeout: 5000 }).catch(() => undefined);
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  await reloaded;
  await expect(shown).toBeVisible();
  await page.goBack();
  await question.getByRole('button', { name: 'Leave' }).click();
  await expect(page).toHaveURL(`/projects/${project.projectId}/devices`);
  await expect(shown).toBeHidden();
});

/** Presses Back, and again before the page can have returned. */
async function goBackTwice(page: Page): Promise<void> {
  const browser = await page.context().newCDPSession(page);
  const { entries, currentIndex } = await browser.send('Page.getNavigationHistory');
  await page.goBack();
  await browser.send('Page.navigateToHistoryEntry', { entryId: entries[currentIndex - 2]?.id ?? 0 });
}

test('"Auto Accept is a switch": switched off it asks about new devices, and Undo switches it back', async ({
  signedIn: page,
  hub,
  operator,
  project,
  devices,
}) => {
  const { token } = await newToken(operator, project, { name: 'South gate' });
  await page.goto(`/projects/${project.projectId}/tokens`);
  const autoAccept = page.getByRole('switch', { name: 'Auto Accept of South gate' });
  await autoAccept.click();
  await expect(page.getByText('“South gate” asks you about new devices')).toBeVisible();
  await expect(autoAccept).not.toBeChecked();
  const flags = async () =>
    (await operator.invoke('projects_QueryProjectDeploymentTokens', { projectId: project.projectId }))
      .tokens[0]?.flags.autoAccept ?? false;
  await expect.poll(flags).toBe(false);
  expect((await (await devices.make(hub, token)).attempt('device', 'id')).stderr).toMatch(/pending/i);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(autoAccept).toBeChecked();
  await expect.poll(flags).toBe(true);
  await (await devices.make(hub, token)).call('device', 'id');
});

test('"Confirmation prompts precede … deleting a deployment token": cancel aborts, deleting disconnects the devices enrolled with it', async ({
  signedIn: page,
  project,
  connected,
}) => {
  await page.goto(`/projects/${project.projectId}/tokens`);
  await page.getByRole('button', { name: 'Delete token “fixture”' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Delete token “fixture”' });
  await expect(dialog).toContainText('1 device was enrolled with this token.');
  await cancelDialog(dialog);
  await expect(tokens(page).getByText('fixture', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Delete token “fixture”' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('No deployment tokens')).toBeVisible();
  await connected.agent.waitForLine(/the hub ended the connection/);
  await page.goto(connected.path);
  await expect(page.getByText('No connections.')).toBeVisible();
});

test('pending certificates are highlighted in the list and can be reviewed there together', async ({
  signedIn: page,
  hub,
  operator,
  project,
  devices,
}) => {
  const { token } = await newToken(operator, project, { autoAccept: false });
  for (let index = 0; index < 2; index += 1)
    expect((await (await devices.make(hub, token)).attempt('device', 'id')).code).toBe(1);
  await page.goto(`/projects/${project.projectId}/devices`);
  await page.getByRole('button', { name: 'Review 2 pending' }).click();
  const dialog = page.getByRole('dialog', { name: 'Pending certificates' });
  await expect(dialog.getByRole('listitem').getByRole('checkbox')).toHaveCount(2);
  await dialog.getByRole('checkbox', { name: 'Select all 2' }).check();
  await dialog.getByRole('button', { name: 'Accept 2 certificates' }).click();
  await expect(page.getByText('2 certificates were accepted')).toBeVisible();
  const { devices: listed } = await operator.invoke('projects_QueryProjectDevices', {
    projectId: project.projectId,
  });
  expect(listed.map(({ pendingCertificatesCount }) => pendingCertificatesCount)).toEqual([0, 0]);
});
