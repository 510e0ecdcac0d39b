import { newUser, signInByApi, uniqueName } from '../fixtures/operator.ts';
import { expect, openSession, refusedWith, signIn, test } from '../fixtures/test.ts';

const password = 'denim-rivet-and-canvas';

test('an administrator creates a user, who sets a password by the link that the page shows, and then disables and deletes the account', async ({
  signedIn: page,
  browser,
  hub,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(refusedWith(401));
  const email = `${uniqueName('bea')}@example.org`;
  await page.goto('/admin');
  await expect(page).toHaveURL('/admin/dashboard');
  await page
    .getByRole('main')
    .getByRole('link', { name: /^Users/ })
    .click();
  // A list that has not loaded yet may move the link under the pointer.
  await expect(page.getByRole('table', { name: 'Users' })).toBeVisible();
  await page.getByRole('link', { name: 'New User' }).click();
  const dialog = page.getByRole('dialog', { name: 'New User' });
  await dialog.getByLabel('Email').fill(email);
  await expect(dialog.getByRole('checkbox', { name: /Show a link/ })).toBeChecked();
  await dialog.getByRole('button', { name: 'New User' }).click();
  const shown = page.getByRole('dialog', { name: `The link for ${email}` });
  const link = ((await shown.getByRole('group', { name: 'link' }).textContent()) ?? '').trim();
  await shown.getByRole('button', { name: 'I stored it' }).click();
  await expect(page).toHaveURL('/admin/users');
  const row = page.getByRole('row').filter({ hasText: email });
  await expect(row).toContainText('No password yet');

  const context = await browser.newContext({ baseURL: hub.url });
  const other = await context.newPage();
  await other.goto(link);
  await other.getByRole('textbox', { name: 'New password (required)', exact: true }).fill(password);
  await other.getByLabel('Confirm the new password (required)').fill(password);
  await other.getByRole('button', { name: 'Set Password' }).click();
  await other.getByRole('link', { name: 'Sign In', exact: true }).click();
  await signIn(other, { email, password });
  await expect(other).toHaveURL('/projects');
  // What others do to their accounts shows within a minute.
  await page.reload();
  await expect(row).toBeVisible();
  await expect(row).not.toContainText('No password yet');

  const choose = async (item: string) => {
    await page.getByRole('button', { name: `Actions for ${email}` }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  await choose('Disable');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Disable' }).click();
  await expect(row).toContainText('Disabled');
  await other.goto('/projects');
  await expect(other).toHaveURL(/\/login/);
  await other.getByLabel('Email').fill(email);
  await other.getByLabel('Password (required)').fill(password);
  await other.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(other.getByText('Invalid username or password!')).toBeVisible();
  await context.close();

  await choose('Delete');
  const prompt = page.getByRole('alertdialog', { name: `Delete user ${email}` });
  await expect(prompt).toContainText('Nothing else is deleted with it.');
  await prompt.getByRole('textbox').fill(email);
  await prompt.getByRole('button', { name: 'Delete' }).click();
  await expect(row).toHaveCount(0);

  await page.goto('/admin/actions?type=users_DeleteUser');
  await expect(page.getByRole('table', { name: 'Actions' })).toContainText('Succeeded');
});

test('"Closed to others": for a user who is no administrator no page of the administration exists', async ({
  page,
  hub,
  operator,
}) => {
  await openSession(page, hub, await newUser(operator));
  for (const path of ['/admin', '/admin/users', '/admin/jobs']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1, name: 'Page not Found' })).toBeVisible();
    await expect(page.getByRole('navigation', { name: 'Administration' })).toHaveCount(0);
  }
});

test('an open page of the administration closes when the right is withdrawn', async ({
  page,
  hub,
  operator,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(refusedWith(403));
  const user = await newUser(operator);
  const { userId } = await signInByApi(hub, user);
  await operator.invoke('users_SetUserIsAdmin', { userId, isAdmin: true });
  await openSession(page, hub, user);
  await page.goto('/admin/users');
  await expect(page.getByRole('navigation', { name: 'Administration' })).toBeVisible();
  await operator.invoke('users_SetUserIsAdmin', { userId, isAdmin: false });
  await expect(page.getByRole('heading', { level: 1, name: 'Page not Found' })).toBeVisible();
});
