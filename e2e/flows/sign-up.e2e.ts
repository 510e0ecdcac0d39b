import type { Page } from '@playwright/test';
import { mailedLinks } from '../fixtures/mailed-links.ts';
import { uniqueName } from '../fixtures/operator.ts';
import { expect, forgetSession, refusedWith, signIn, test } from '../fixtures/test.ts';

const password = 'denim-rivet-and-canvas';

async function fillIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Full name').fill('Mara Keller');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password (required)', { exact: true }).fill(password);
  await page.getByLabel('Confirm password').fill(password);
  await page.getByRole('checkbox', { name: 'I agree to the Terms of Service' }).check();
}

const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

test('"activates an account from the emailed link": sign up, confirm, sign in; the link and the address work once', async ({
  page,
  hub,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(refusedWith(401));
  const links = mailedLinks(hub, /\/signup\/verify\?jwt=[\w.-]+/);
  const email = `${uniqueName('mara')}@example.org`;
  await page.goto('/login');
  await page.getByRole('link', { name: 'Sign up' }).click();
  await fillIn(page, email);
  await page.keyboard.press('Enter');
  await expect(title(page, 'Awaiting Email Confirmation')).toBeFocused();
  await expect(page.getByText(email)).toBeVisible();

  await page.getByRole('button', { name: 'Use another email' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Sign Up' }).click();
  await expect(title(page, 'Pending Registration')).toBeFocused();

  await expect.poll(() => links().length).toBeGreaterThan(0);
  const link = links()[0] ?? '';
  await page.goto(link);
  await expect(title(page, 'Activate Your Account')).toBeFocused();
  await expect(page.getByText('Mara Keller')).toBeVisible();
  await expect(page.getByText(email)).toBeVisible();
  // Programs that scan mails open links, too.
  await page.reload();
  await page.goto(link);
  await page.getByRole('button', { name: 'Activate Account' }).click();
  await expect(title(page, 'Account Activated')).toBeFocused();
  expect(new URL(page.url()).search, 'no token in the address').toBe('');
  await expect(title(page, 'Welcome Back')).toBeVisible();
  await signIn(page, { email, password });
  await expect(page).toHaveURL('/projects');

  await forgetSession(page);
  await page.goto(link);
  await expect(title(page, 'Account Activation Failed')).toBeFocused();
  await expect(page.getByText('This account is already active.')).toBeVisible();
  await page.getByRole('link', { name: 'Sign up again' }).click();
  await fillIn(page, email);
  await page.getByRole('button', { name: 'Sign Up' }).click();
  await expect(title(page, 'User Exists')).toBeFocused();
  await page.getByRole('link', { name: 'Log In' }).click();
  await expect(page).toHaveURL('/login');
});

test('with registration closed the sign-in page has no link to sign up, and the sign-up page names the contact', async ({
  page,
  startHub,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(refusedWith(401));
  const closed = await startHub({
    CORRAL_REGISTRATION: 'closed',
    CORRAL_ADMIN_CONTACT: 'mara@harbour.example',
  });
  await page.goto(`${closed.url}/login`);
  await expect(title(page, 'Welcome Back')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Sign up' })).toHaveCount(0);
  await page.goto(`${closed.url}/signup`);
  await expect(title(page, 'Sign-Up Is Closed')).toBeVisible();
  await expect(page.getByRole('link', { name: 'mara@harbour.example' })).toBeVisible();
  await page.getByRole('link', { name: 'Back to sign-in' }).click();
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(page.getByRole('link', { name: 'mara@harbour.example' })).toBeVisible();
});

test('a stranger who registers the address of somebody else does not know the password: the owner chooses it with the link', async ({
  page,
  browser,
  hub,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(refusedWith(401));
  const links = mailedLinks(hub, /\/signup\/verify\?jwt=[\w.-]+/);
  const email = `${uniqueName('victim')}@example.org`;
  await page.goto('/signup');
  await fillIn(page, email);
  await page.getByRole('button', { name: 'Sign Up' }).click();
  await expect(title(page, 'Awaiting Email Confirmation')).toBeFocused();
  await expect.poll(() => links().length).toBeGreaterThan(0);

  const context = await browser.newContext({ baseURL: hub.url });
  const owner = await context.newPage();
  await owner.goto(links()[0] ?? '');
  await expect(title(owner, 'Activate Your Account')).toBeVisible();
  const chosen = 'gravel-lantern-heron';
  await owner.getByLabel('Password (required)', { exact: true }).fill(chosen);
  await owner.getByLabel('Confirm password').fill(chosen);
  await owner.getByRole('button', { name: 'Activate Account' }).click();
  await expect(title(owner, 'Account Activated')).toBeVisible();
  await owner.getByRole('link', { name: 'Go now' }).click();
  await signIn(owner, { email, password: chosen });
  await expect(owner).toHaveURL('/projects');
  await context.close();

  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password (required)').fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByText('Invalid username or password!')).toBeVisible();
});

test('on a hub without a mail server a stranger joins by a copied link, an administrator confirms the address, and hands out the links for a registration and a forgotten password', async ({
  page,
  signedIn: admin,
  browser,
  hub,
  operator,
  project,
  expectedConsoleErrors,
}) => {
  expect(page).toBe(admin);
  expectedConsoleErrors.push(refusedWith(401));
  const invited = `${uniqueName('kim')}@example.org`;
  await operator.invoke('projects_InviteProjectMember', { projectId: project.projectId, email: invited });
  await admin.goto(`/projects/${project.projectId}/members`);
  await admin.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const copied = () => admin.evaluate(() => navigator.clipboard.readText());
  await admin.getByRole('button', { name: `Copy Link for ${invited}` }).click();
  await expect(admin.getByText(`The link for ${invited} was copied.`)).toBeVisible();
  const invitation = await copied();

  const context = await browser.newContext({ baseURL: hub.url });
  const stranger = await context.newPage();
  await stranger.goto(invitation);
  await expect(stranger.getByLabel('Email')).toHaveValue(invited);
  await stranger.getByLabel('Full name').fill('Kim Ahn');
  await stranger.getByLabel('Password (required)', { exact: true }).fill(password);
  await stranger.getByLabel('Confirm password').fill(password);
  await stranger.getByRole('checkbox', { name: 'I agree to the Terms of Service' }).check();
  await stranger.getByRole('button', { name: 'Sign Up' }).click();
  await expect(title(stranger, 'Account Activated')).toBeFocused();
  await stranger.getByRole('link', { name: 'Go now' }).click();
  await signIn(stranger, { email: invited, password });
  await expect(stranger).toHaveURL('/user/invitations');
  await expect(stranger.getByText('Your email address is not confirmed yet')).toBeVisible();
  await stranger.getByRole('button', { name: `Accept the invitation to “${project.name}”` }).click();
  await expect(stranger.getByText(`You are a member of “${project.name}” now`)).toBeVisible();
  await stranger.goto(`/projects/${project.projectId}`);
  await expect(stranger.getByRole('button', { name: project.name, exact: true })).toBeVisible();

  await admin.goto(`/admin/users?filter=${encodeURIComponent(invited)}`);
  const row = admin.getByRole('row').filter({ hasText: invited });
  await expect(row).toContainText('Address not confirmed');
  const choose = async (item: string, verb: string) => {
    await admin.getByRole('button', { name: `Actions for ${invited}` }).click();
    await admin.getByRole('menuitem', { name: item }).click();
    await admin.getByRole('alertdialog').getByRole('button', { name: verb }).click();
  };
  await choose('Confirm the address', 'Confirm the address');
  await expect(row).not.toContainText('Address not confirmed');

  // A forgotten password.
  await choose('Copy link to set a password', 'Show Link');
  const shown = admin.getByRole('dialog', { name: `The link for ${invited}` });
  const passwordLink = (await shown.getByRole('group', { name: 'link' }).textContent()) ?? '';
  await shown.getByRole('button', { name: 'I stored it' }).click();
  await stranger.goto(passwordLink.trim());
  await expect(stranger.getByText(invited)).toBeVisible();
  await stranger.getByRole('textbox', { name: 'New password (required)', exact: true }).fill(`${password}-2`);
  await stranger.getByLabel('Confirm the new password (required)').fill(`${password}-2`);
  await stranger.getByRole('button', { name: 'Set Password' }).click();
  await stranger.getByRole('link', { name: 'Sign In', exact: true }).click();
  await signIn(stranger, { email: invited, password: `${password}-2` });

  // Somebody without an invitation.
  const other = `${uniqueName('lee')}@example.org`;
  await forgetSession(stranger);
  await stranger.goto('/signup');
  await fillIn(stranger, other);
  await stranger.getByRole('button', { name: 'Sign Up' }).click();
  await expect(stranger.getByText('An administrator sees your registration')).toBeVisible();
  await admin.goto('/admin/users');
  await admin.getByRole('button', { name: `Copy Link for ${other}` }).click();
  await expect(admin.getByText(`The link for ${other} was copied.`)).toBeVisible();
  await stranger.goto(await copied());
  await stranger.getByRole('button', { name: 'Activate Account' }).click();
  await expect(title(stranger, 'Account Activated')).toBeVisible();
  await context.close();
});
