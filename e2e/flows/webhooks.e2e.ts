import { expectAccessible } from '../fixtures/expect-accessible.ts';
import { expect, test } from '../fixtures/test.ts';
import { startReceiver } from '../fixtures/webhook-receiver.ts';

test('a webhook is made, tells a receiver that checks its signature, lists what it sent, and sends it again under the same id', async ({
  signedIn: page,
  operator,
  project,
}) => {
  await using receiver = await startReceiver();
  const { projectId } = project;
  await page.goto(`/projects/${projectId}/webhooks`);
  await expect(page.getByRole('heading', { name: 'No webhooks' })).toBeVisible();
  await page.getByRole('button', { name: 'New Webhook' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New Webhook' });
  await dialog.getByRole('textbox', { name: /^Name/u }).fill('Tickets');
  await dialog.getByRole('textbox', { name: /^URL/u }).fill(receiver.url);
  await dialog.getByRole('combobox', { name: /^Events/u }).click();
  await page.getByRole('option', { name: /^All of the project/u }).click();
  await page.keyboard.press('Escape');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'New Webhook' }).click();
  const created = page.getByRole('dialog', { name: 'Webhook created' });
  const secret = (await created.getByRole('status', { name: 'webhook secret' }).textContent()) ?? '';
  expect(secret).toMatch(/^whsec_/u);
  await expectAccessible(page);
  await created.getByRole('button', { name: 'I stored it' }).click();

  await operator.invoke('projects_SetName', { projectId, name: 'Harbour' });
  // That it was made is one of its own events.
  const renames = () => receiver.received(secret).filter(({ type }) => type === 'projects_NameChanged');
  await expect.poll(renames).toHaveLength(1);
  const [message] = renames();
  expect(message).toMatchObject({ type: 'projects_NameChanged', data: { projectId, name: 'Harbour' } });

  await page.getByRole('link', { name: 'Tickets' }).click();
  const row = page
    .getByRole('table', { name: 'Messages' })
    .getByRole('row', { name: /projects_NameChanged/u });
  await expect(row).toContainText('Accepted');
  await expect(row).toContainText('204');
  await expectAccessible(page);
  await row.getByRole('button', { name: 'Actions for projects_NameChanged' }).click();
  await page.getByRole('menuitem', { name: 'Send Again' }).click();
  await expect(page.getByText('The message is sent again')).toBeVisible();
  await expect.poll(renames).toEqual([message, message]);
  await expect(row).toContainText('2');

  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByRole('heading', { name: 'Tickets', level: 1 })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});
