import type { CDPSession, Page } from '@playwright/test';
import { newUser } from '../fixtures/operator.ts';
import { expect, forgetSession, refusedWith, signIn, test } from '../fixtures/test.ts';

test.beforeEach(({ expectedConsoleErrors }) => {
  expectedConsoleErrors.push(refusedWith(401), refusedWith(400));
});

/** A virtual authenticator of Chromium, whose user says yes. */
async function virtualAuthenticator(page: Page): Promise<{ cdp: CDPSession; authenticatorId: string }> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { cdp, authenticatorId };
}

/** The origin at which browsers know passkeys. */
const atLocalhost = ({ url }: { url: string }): string => {
  const { port } = new URL(url);
  return `http://localhost:${port}`;
};

async function typePassword(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password (required)').fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
}

test('a user adds a passkey, signs in with it after the password and without one; answers that are wrong are refused', async ({
  page,
  hub,
  operator,
}) => {
  const { email, password } = await newUser(operator);
  const origin = atLocalhost(hub);
  const { cdp, authenticatorId } = await virtualAuthenticator(page);
  await page.goto(`${origin}/login`);
  await signIn(page, { email, password });
  await page.goto(`${origin}/settings/security`);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const naming = page.getByRole('dialog', { name: 'Name your passkey' });
  await expect(naming.getByLabel('Name')).toHaveValue(/ on /);
  await naming.getByLabel('Name').fill('Barn laptop');
  await naming.getByRole('button', { name: 'Save' }).click();
  const codes = page.getByRole('dialog', { name: 'Your recovery codes' });
  await expect(codes.getByRole('listitem')).toHaveCount(10);
  await codes.getByRole('button', { name: 'I stored it' }).click();
  const listed = page.getByRole('list', { name: 'Passkeys' }).getByRole('listitem');
  await expect(listed).toContainText('Barn laptop');
  await expect(listed).toContainText('never used');
  // The authenticator has one for this account already.
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(page.getByText('has one for your account already').first()).toBeVisible();

  await forgetSession(page);
  await page.goto(`${origin}/login`);
  await typePassword(page, email, password);
  await page.getByRole('button', { name: 'Use your passkey' }).click();
  await expect(page).not.toHaveURL(/login/);

  const bits = { isBogusSignature: false, isBadUV: false, isBadUP: false };
  await forgetSession(page);
  await page.goto(`${origin}/login`);
  for (const bad of ['isBogusSignature', 'isBadUV', 'isBadUP']) {
    await cdp.send('WebAuthn.setResponseOverrideBits', { authenticatorId, ...bits, [bad]: true });
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await expect(page.getByRole('alert')).toContainText('This passkey was not accepted. Try again.');
    await page.reload();
  }
  await cdp.send('WebAuthn.setResponseOverrideBits', { authenticatorId, ...bits });
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page.getByRole('alert')).toContainText('No passkey was used');
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page).not.toHaveURL(/login/);

  await page.goto(`${origin}/settings/security`);
  await page.getByRole('button', { name: /Barn laptop/ }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await expect(listed).toHaveCount(0);
  await forgetSession(page);
  await page.goto(`${origin}/login`);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page.getByRole('alert')).toContainText('This hub does not know this passkey');
});

test('by its address the hub offers no passkeys, and leads to the name by which it does', async ({
  page,
  hub,
  operator,
}) => {
  const { email, password } = await newUser(operator);
  const { port } = new URL(hub.url);
  await page.goto(`http://127.0.0.1:${port}/login`);
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toBeHidden();
  await signIn(page, { email, password });
  await page.goto(`http://127.0.0.1:${port}/settings/security`);
  await expect(page.getByRole('button', { name: 'Add a passkey' })).toBeHidden();
  await page.getByRole('link', { name: `http://localhost:${port}` }).click();
  await expect(page).toHaveURL(new RegExp(`^http://localhost:${port}/`));
});
