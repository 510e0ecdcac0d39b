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
  await expect(title(page, 'Account Activated')).toBeFocused();
  expect(new URL(page.url()).search, 'no token in the address').toBe('');
  await expect(title(page, 'Welcome Back')).toBeVisible();
  await signIn(page, { email, password });
  await expect(page).toHaveURL('/projects');

  await forgetSession(page);
  await page.goto(link);
  await expect(title(page, 'Account Activation Failed')).toBeFocused();
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
