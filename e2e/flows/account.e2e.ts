import { cancelDialog } from '../fixtures/cancel-dialog.ts';
import { newUser, signInByApi, withCookie } from '../fixtures/operator.ts';
import { openSession, expect, forgetSession, refusedWith, signIn, test } from '../fixtures/test.ts';

test('"Display name: not blank after trimming (Display name must not be empty.); Save disabled when invalid"', async ({
  page,
  hub,
  operator,
}) => {
  const user = await newUser(operator, 'Wanda Winter');
  await openSession(page, hub, user);
  await page.goto('/settings');
  await expect(page).toHaveURL('/settings/profile');
  const field = page.getByLabel('Display name (required)');
  const save = page.getByRole('button', { name: 'Save' });
  await field.fill('   ');
  await field.blur();
  await expect(page.getByText('Display name must not be empty.')).toBeVisible();
  await expect(save).toBeDisabled();
  await field.fill('Wanda Summer');
  await save.click();
  await expect(page.getByRole('button', { name: 'Wanda Summer' })).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('button', { name: 'Wanda Winter' })).toBeVisible();
  await expect
    .poll(async () => (await operator.invoke('users_GetUserDetails', { userId: user.userId })).displayName)
    .toBe('Wanda Winter');
});

test('"Account menu shows display name (or My Account) and email", and Administration to administrators alone', async ({
  page,
  hub,
  operator,
}) => {
  const user = await newUser(operator);
  await openSession(page, hub, user);
  await page.goto('/projects');
  await page.getByRole('button', { name: 'My Account' }).click();
  const menu = page.getByRole('menu');
  await expect(menu).toContainText(user.email);
  await expect(menu.getByRole('menuitem')).toHaveText(['Invitations', 'Settings', 'Log Out']);
  await menu.getByRole('menuitem', { name: 'Settings' }).click();
  await expect(page).toHaveURL('/settings/profile');
});

test('"Password must be at least 8 characters long." and "Passwords do not match." are re-checked when either field changes', async ({
  signedIn: page,
}) => {
  await page.goto('/settings/security');
  const first = page.getByLabel('New password (required)', { exact: true });
  const second = page.getByLabel('Confirm new password (required)');
  const change = page.getByRole('button', { name: 'Change Password' });
  await expect(change).toBeDisabled();
  await first.fill('short');
  await first.blur();
  await expect(page.getByText('Password must be at least 8 characters long.')).toBeVisible();
  await first.fill('long-enough-now');
  await second.fill('something-else');
  await second.blur();
  await expect(page.getByText('Passwords do not match.')).toBeVisible();
  await expect(change).toBeDisabled();
  await first.fill('something-else');
  await expect(page.getByText('Passwords do not match.')).toBeHidden();
  await expect(change).toBeEnabled();
});

test('"All your other sessions end when you change the password."', async ({
  page,
  hub,
  operator,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(refusedWith(401));
  const user = await newUser(operator, 'Paula Pass');
  const other = await signInByApi(hub, user);
  await openSession(page, hub, user);
  await page.goto('/settings/security');
  await page.getByLabel('New password (required)', { exact: true }).fill('brand-new-gatepost');
  await page.getByLabel('Confirm new password (required)').fill('brand-new-gatepost');
  await page.getByRole('button', { name: 'Change Password' }).click();
  await expect(page.getByText('Your password was changed')).toBeVisible();
  expect((await withCookie(hub, other.cookie).invoke('actor_GetActor', {})).actor.actor).toBe('Anonymous');
  await expect(signInByApi(hub, user)).rejects.toThrow(/Invalid username or password/);
  await page.goto('/settings/profile');
  await expect(page).toHaveURL('/settings/profile');
  await forgetSession(page);
  await page.goto('/login');
  await signIn(page, { email: user.email, password: 'brand-new-gatepost' });
  await expect(page).toHaveURL('/projects');
});

test('a user token is made, works until it is deleted, and "The secret value is returned only at creation"', async ({
  page,
  hub,
  operator,
}) => {
  const user = await newUser(operator, 'Tilda Token');
  await openSession(page, hub, user);
  await page.goto('/settings/security');
  await expect(page.getByText('No user tokens')).toBeVisible();
  await page.getByRole('button', { name: 'New Token' }).click();
  const dialog = page.getByRole('dialog', { name: 'New Token' });
  await expect(dialog.getByRole('button', { name: 'New Token' })).toBeDisabled();
  await dialog.getByLabel('Name (required)').fill('laptop');
  await dialog.getByRole('button', { name: 'New Token' }).click();
  const shown = page.getByRole('dialog', { name: 'User token created' });
  const secret = await shown.getByRole('status', { name: 'user token' }).innerText();
  expect(secret).toMatch(/^u_sk_\w{66}$/);
  await shown.getByRole('button', { name: 'I stored it' }).click();
  const actor = async () => {
    const answer = await fetch(`${hub.url}/api/v1/actions/invoke/actor_GetActor`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
      body: '{}',
    });
    return answer.status;
  };
  expect(await actor()).toBe(200);
  const row = page.getByRole('table', { name: 'User tokens' }).getByRole('row').filter({ hasText: 'laptop' });
  await page.reload();
  await expect(row).toBeVisible();
  expect(await page.content()).not.toContain(secret);
  await row.getByRole('button', { name: /Delete/ }).click();
  const confirmation = page.getByRole('alertdialog', { name: 'Delete token “laptop”' });
  await cancelDialog(confirmation);
  await expect(row).toBeVisible();
  await row.getByRole('button', { name: /Delete/ }).click();
  await confirmation.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('No user tokens')).toBeVisible();
  expect(await actor()).toBe(401);
});

test('"user agent truncated at 40 characters"; other sessions can be ended, this one stays', async ({
  page,
  hub,
  operator,
}) => {
  const user = await newUser(operator, 'Sessa Session');
  const other = await signInByApi(hub, user);
  await openSession(page, hub, user);
  await page.goto('/settings/sessions');
  const table = page.getByRole('table', { name: 'Sessions' });
  const own = table.getByRole('row').filter({ hasText: 'This session' });
  const agent = await page.evaluate<string>('navigator.userAgent');
  expect(agent.length).toBeGreaterThan(40);
  await expect(own.getByText(`${agent.slice(0, 40)}…`, { exact: true })).toBeVisible();
  const ended = table.getByRole('row').filter({ hasText: 'corral-e2e' });
  await ended.getByRole('button', { name: /^End the session/ }).click();
  await page.getByRole('alertdialog', { name: 'End session' }).getByRole('button', { name: 'End' }).click();
  await expect(page.getByRole('alertdialog')).toBeHidden();
  await expect(ended).toBeHidden();
  const actorOfOther = async () =>
    (await withCookie(hub, other.cookie).invoke('actor_GetActor', {})).actor.actor;
  await expect.poll(actorOfOther).toBe('Anonymous');
  await expect(own).toBeVisible();
});

test('the theme is chosen by keyboard in the account menu and survives a reload', async ({
  signedIn: page,
}) => {
  await page.goto('/projects');
  const canvas = () =>
    page.getByRole('main').evaluate((main) => {
      const { body, defaultView } = main.ownerDocument;
      return defaultView?.getComputedStyle(body).backgroundColor;
    });
  const choose = async (theme: string) => {
    await page.getByRole('banner').getByRole('button', { name: 'Administrator' }).focus();
    await page.keyboard.press('Enter');
    const choice = page.getByRole('menuitemradio', { name: theme });
    await choice.focus();
    await page.keyboard.press('Enter');
    await expect(choice).toBeChecked();
    await page.keyboard.press('Escape');
  };
  await choose('Dark');
  await expect.poll(canvas).toBe('rgb(21, 19, 14)');
  await page.reload();
  await expect.poll(canvas).toBe('rgb(21, 19, 14)');
  await choose('Light');
  await expect.poll(canvas).toBe('rgb(246, 243, 236)');
});
