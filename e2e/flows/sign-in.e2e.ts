import type { Page } from '@playwright/test';
import { administrator } from '../fixtures/hub-process.ts';
import { newProject, newUser, signInByApi, uniqueName, withCookie } from '../fixtures/operator.ts';
import { newRepository } from '../fixtures/repository.ts';
import { expect, forgetSession, openSession, refusedWith, signIn, test } from '../fixtures/test.ts';

const notSignedIn = refusedWith(401);
const email = (page: Page) => page.getByLabel('Email');
const password = (page: Page) => page.getByLabel('Password (required)');
const submit = (page: Page) => page.getByRole('button', { name: 'Sign In', exact: true });

test.beforeEach(({ expectedConsoleErrors }) => void expectedConsoleErrors.push(notSignedIn));

test('"Welcome Back" heads the page and "Please enter your email and password to sign in." follows', async ({
  page,
}) => {
  await page.goto('/login');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome Back');
  await expect(page.getByText('Please enter your email and password to sign in.')).toBeVisible();
  await expect(page.getByText('Email (required)')).toBeVisible();
  await expect(page.getByText('Password (required)')).toBeVisible();
  await expect(page.getByRole('checkbox', { name: 'Remember me' })).not.toBeChecked();
});

test('"Invalid username or password!" appears in a banner titled Error, the e-mail is kept and the password has the focus', async ({
  page,
}) => {
  await page.goto('/login');
  await email(page).fill(administrator.email);
  await password(page).fill('not-the-password');
  await submit(page).click();
  const banner = page.getByRole('alert').filter({ hasText: 'Error' });
  await expect(banner).toContainText('Invalid username or password!');
  await expect(password(page)).toBeFocused();
  await expect(email(page)).toHaveValue(administrator.email);
  await expect(page).toHaveURL('/login');
});

test('an unknown e-mail address gets the same answer as a wrong password', async ({ page }) => {
  await page.goto('/login');
  await email(page).fill('nobody@example.org');
  await password(page).fill('not-the-password');
  await submit(page).click();
  await expect(page.getByRole('alert')).toContainText('Invalid username or password!');
});

test('"On success the user goes to the redirect target, or / if none"', async ({ page }) => {
  await page.goto('/login');
  await signIn(page, administrator);
  await expect(page).toHaveURL('/projects');
  await expect(
    page.getByRole('heading', { level: 1, name: /Projects|Create your first project/ }),
  ).toBeVisible();
});

test('"if loading fails it redirects to /login with a redirect search parameter", which leads back after signing in', async ({
  page,
}) => {
  await page.goto('/settings/sessions');
  await expect(page).toHaveURL('/login?redirect=%2Fsettings%2Fsessions');
  await signIn(page, administrator);
  await expect(page).toHaveURL('/settings/sessions');
  await expect(page.getByRole('heading', { level: 1, name: 'Sessions' })).toBeVisible();
});

// Every form of an invalid target: console/src/features/sign-in/redirect-target.test.ts.
test('"empty when invalid": a redirect to another site is ignored', async ({ page }) => {
  await page.goto(`/login?redirect=${encodeURIComponent('//example.org/')}`);
  await signIn(page, administrator);
  await expect(page).toHaveURL('/projects');
});

test('a user who is already signed in is redirected to the target at once', async ({ signedIn: page }) => {
  await page.goto('/login?redirect=%2Fsettings%2Fprofile');
  await expect(page).toHaveURL('/settings/profile');
});

test('"Submit disabled while invalid; validated on load and on change"', async ({ page }) => {
  await page.goto('/login');
  await expect(submit(page)).toBeDisabled();
  await email(page).fill('somebody@example.org');
  await expect(submit(page)).toBeDisabled();
  await password(page).fill('   ');
  await expect(submit(page)).toBeDisabled();
  await password(page).fill('some-words');
  await expect(submit(page)).toBeEnabled();
});

test('"A field turns red when changed, blurred and invalid, and green when valid"', async ({ page }) => {
  await page.goto('/login');
  const message = page.getByText('Please enter your email address.');
  const colour = () =>
    email(page).evaluate((input) => input.ownerDocument.defaultView?.getComputedStyle(input).borderTopColor);
  const plain = await colour();
  await email(page).focus();
  await email(page).blur();
  await expect(email(page)).not.toHaveAttribute('aria-invalid');
  await email(page).fill('a');
  await expect.poll(colour).not.toBe(plain);
  const green = await colour();
  await email(page).fill('');
  await email(page).blur();
  await expect(message).toBeVisible();
  await expect(email(page)).toHaveAttribute('aria-invalid', 'true');
  await expect(email(page)).toHaveAccessibleDescription('Please enter your email address.');
  await email(page).fill('somebody@example.org');
  await expect(message).toBeHidden();
  await expect(email(page)).not.toHaveAttribute('aria-invalid');
  await expect.poll(colour).toBe(green);
  await password(page).fill('a');
  await password(page).fill('');
  await expect(page.getByText('Please enter your password.')).toBeHidden();
  await password(page).blur();
  await expect(page.getByText('Please enter your password.')).toBeVisible();
});

test('"While submitting, a loading overlay with a spinner covers the form and inputs are disabled"', async ({
  page,
}) => {
  await page.goto('/login');
  let answer = (): void => undefined;
  const isAnswered = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/api/private/login', async (route) => {
    await isAnswered;
    await route.continue();
  });
  await email(page).fill(administrator.email);
  await password(page).fill(administrator.password);
  await submit(page).click();
  await expect(page.getByText('Signing in')).toBeAttached();
  await expect(email(page)).toBeDisabled();
  await expect(password(page)).toBeDisabled();
  await expect(page.getByRole('checkbox', { name: 'Remember me' })).toBeDisabled();
  answer();
  await expect(page).toHaveURL('/projects');
});

test('"Remember me" keeps the session for thirty days, without it the session ends with the browser', async ({
  page,
}) => {
  const session = async () => (await page.context().cookies()).find(({ name }) => name.endsWith('session'));
  await page.goto('/login');
  await signIn(page, administrator);
  expect(await session()).toMatchObject({ expires: -1, httpOnly: true, secure: true, sameSite: 'Lax' });
  await forgetSession(page);
  await page.goto('/login');
  await page.getByRole('checkbox', { name: 'Remember me' }).check();
  await signIn(page, administrator);
  const days = ((await session())?.expires ?? 0) / 86_400 - Date.now() / 86_400_000;
  expect(days).toBeGreaterThan(29.9);
  expect(days).toBeLessThan(30.1);
});

test('"Logout calls the server": the cookie of a session that was signed out is refused', async ({
  page,
  hub,
}) => {
  await openSession(page, hub, administrator);
  await page.goto('/projects');
  const cookies = await page.context().cookies();
  const old = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  expect((await withCookie(hub, old).invoke('actor_GetActor', {})).actor.actor).toBe('User');
  await page.getByRole('button', { name: 'Administrator' }).click();
  await page.getByRole('menuitem', { name: 'Log Out' }).click();
  await expect(page).toHaveURL('/login');
  expect(await page.context().cookies()).toEqual([]);
  expect((await withCookie(hub, old).invoke('actor_GetActor', {})).actor.actor).toBe('Anonymous');
  await page.goto('/projects');
  await expect(page).toHaveURL('/login?redirect=%2Fprojects');
});

test('after signing out in one tab, the others show the sign-in page, and nothing of what they showed', async ({
  page,
  operator,
  hub,
}) => {
  const user = await newUser(operator, 'Wanda Winter');
  const { projectId, name } = await newProject(await signInByApi(hub, user));
  await openSession(page, hub, user);
  await page.goto('/projects');
  const other = await page.context().newPage();
  await other.goto(`/projects/${projectId}/settings`);
  await other.getByRole('button', { name: 'Delete Project' }).click();
  await expect(other.getByRole('alertdialog')).toContainText(name);
  await page.getByRole('button', { name: 'Wanda Winter' }).click();
  await page.getByRole('menuitem', { name: 'Log Out' }).click();
  await expect(page).toHaveURL('/login');
  await expect(other.getByRole('heading', { level: 1, name: 'Welcome Back' })).toBeVisible();
  await expect(other).toHaveURL('/login');
  await expect(other.getByText(name)).toHaveCount(0);
  await other.goBack();
  await expect(other).toHaveURL(/\/login\?redirect/);
});

test('when the session ends on another device, a dialog asks to sign in again, and the page keeps its state out of sight', async ({
  page,
  operator,
  hub,
}) => {
  const user = await newUser(operator, 'Wanda Winter');
  await page.goto('/settings/profile');
  await signIn(page, user);
  await page.getByLabel('Display name (required)').fill('Typed before');
  const other = await page.context().newPage();
  await other.goto('/settings/sessions');
  await expect(other.getByText('This session')).toBeVisible();
  const elsewhere = await signInByApi(hub, user);
  const { sessions } = await elsewhere.invoke('users_QueryUserSessions', { userId: user.userId });
  for (const { sessionId, isCurrent } of sessions)
    if (isCurrent !== true) await elsewhere.invoke('users_TerminateUserSession', { sessionId });
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await expect(dialog.getByLabel('Email')).toHaveValue(user.email);
  await expect(page.getByText('Wanda Winter').first()).toBeHidden();
  await expect(page.getByLabel('Display name (required)')).toBeHidden();
  await expect(other.getByText('This session')).toBeHidden();
  await expect(other.getByRole('dialog', { name: 'Sign in again' })).toBeVisible();
  await dialog.getByLabel('Password (required)').fill(user.password);
  await dialog.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL('/settings/profile');
  await expect(page.getByLabel('Display name (required)')).toHaveValue('Typed before');
  await expect(other.getByText('This session')).toBeVisible();
});

test('when the session ends over an invitation, signing in again leads back to the typed address, and it can be sent', async ({
  page,
  operator,
  hub,
}) => {
  const user = await newUser(operator, 'Ida Inviter');
  const elsewhere = await signInByApi(hub, user);
  const { projectId } = await newProject(elsewhere);
  await openSession(page, hub, user);
  await page.goto(`/projects/${projectId}/members`);
  await page.getByRole('button', { name: 'Invite User' }).click();
  const form = page.getByRole('dialog', { name: 'Invite User' });
  const email = `${uniqueName('guest')}@example.org`;
  await form.getByRole('textbox').fill(email);
  const { sessions } = await elsewhere.invoke('users_QueryUserSessions', { userId: user.userId });
  for (const { sessionId, isCurrent } of sessions)
    if (isCurrent !== true) await elsewhere.invoke('users_TerminateUserSession', { sessionId });
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.getByLabel('Password (required)').fill(user.password);
  await dialog.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(form.getByRole('textbox')).toHaveValue(email);
  await form.getByRole('button', { name: 'Invite' }).click();
  await expect(form).toBeHidden();
  await expect(page.getByRole('table', { name: 'Invitations' })).toContainText(email);
});

test('when the session ends over a form of a repository, signing in again leads back to what was typed, and it can be sent', async ({
  page,
  operator,
  hub,
}) => {
  const user = await newUser(operator, 'Wanda Winter');
  const elsewhere = await signInByApi(hub, user);
  const repository = await newRepository(elsewhere);
  await openSession(page, hub, user);
  await page.goto(`${repository.path}/settings`);
  await page.getByRole('button', { name: 'Rename Repository' }).click();
  const form = page.getByRole('dialog', { name: `Rename “${repository.name}”` });
  const next = uniqueName('typed');
  await form.getByLabel('Name (required)').fill(next);
  const { sessions } = await elsewhere.invoke('users_QueryUserSessions', { userId: user.userId });
  for (const { sessionId, isCurrent } of sessions)
    if (isCurrent !== true) await elsewhere.invoke('users_TerminateUserSession', { sessionId });
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.getByLabel('Password (required)').fill(user.password);
  await dialog.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(form.getByLabel('Name (required)')).toHaveValue(next);
  await form.getByRole('button', { name: 'Rename Repository' }).click();
  await expect(form).toBeHidden();
  await expect(page.getByRole('button', { name: next, exact: true })).toBeVisible();
});

test('"This feature is currently under construction and will be available soon." is the whole reset page', async ({
  page,
}) => {
  await page.goto('/login');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(page).toHaveURL('/reset-password');
  await expect(page.getByRole('heading', { level: 1, name: 'Under Construction' })).toBeVisible();
  await expect(
    page.getByText('This feature is currently under construction and will be available soon.'),
  ).toBeVisible();
  await page.getByRole('link', { name: 'Back to sign-in' }).click();
  await expect(page).toHaveURL('/login');
});
