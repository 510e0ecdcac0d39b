import type { Page } from '@playwright/test';
import { codeOf } from '../fixtures/authenticator.ts';
import { newUser } from '../fixtures/operator.ts';
import { expect, forgetSession, refusedWith, signIn, test } from '../fixtures/test.ts';

test.beforeEach(({ expectedConsoleErrors }) => {
  expectedConsoleErrors.push(refusedWith(401), refusedWith(400));
});

async function typePassword(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password (required)').fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
}

test('a user sets up an authenticator, signs in with its code, loses it, and comes back by a recovery code', async ({
  page,
  operator,
}) => {
  const { email, password } = await newUser(operator);
  await page.goto('/login');
  await signIn(page, { email, password });
  await page.goto('/settings/security');
  await page.getByRole('button', { name: 'Set up an authenticator' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set up an authenticator' });
  await expect(dialog.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  const secret = (
    await dialog.getByRole('group', { name: 'secret of the authenticator' }).innerText()
  ).trim();
  await dialog.getByLabel('Code from the app').fill('000000');
  await dialog.getByRole('button', { name: 'Turn On' }).click();
  await expect(dialog.getByRole('alert')).toContainText('the clock of your device differs');
  await dialog.getByLabel('Code from the app').fill(codeOf(secret));
  await dialog.getByRole('button', { name: 'Turn On' }).click();
  const codes = page.getByRole('dialog', { name: 'Your recovery codes' });
  await expect(codes.getByRole('listitem')).toHaveCount(10);
  const recoveryCode = await codes.getByRole('listitem').first().innerText();
  await codes.getByRole('button', { name: 'I stored it' }).click();
  await expect(page.getByText('10 left')).toBeVisible();

  await forgetSession(page);
  await typePassword(page, email, password);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Second factor');
  const code = page.getByLabel('Code from the app');
  await expect(code).toBeFocused();
  await code.fill('000000');
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('This code is not right.');
  await code.fill(codeOf(secret, 30));
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page).not.toHaveURL(/login/);

  await forgetSession(page);
  await typePassword(page, email, password);
  await page.getByRole('button', { name: 'Use a recovery code instead' }).click();
  await page.getByLabel('Recovery code').fill(recoveryCode.toLowerCase());
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page).not.toHaveURL(/login/);
  await page.goto('/settings/security');
  await expect(page.getByText('9 left')).toBeVisible();
  await page.goto('/settings/sessions');
  await expect(page.getByText('Password, Recovery code')).toBeVisible();
});
