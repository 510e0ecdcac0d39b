import type { Page } from '@playwright/test';
import { ageSessions } from '../fixtures/age-sessions.ts';
import { administrator, type HubProcess } from '../fixtures/hub-process.ts';
import {
  type IdentityProvider,
  signInAtProvider,
  startIdentityProvider,
} from '../fixtures/identity-provider.ts';
import { signInByApi, uniqueName } from '../fixtures/operator.ts';
import { expect, forgetSession, refusedWith, signIn, test } from '../fixtures/test.ts';

test.beforeEach(async ({ context, expectedConsoleErrors }) => {
  // Another user than before comes back from the provider, and the hub of a test ends before its page.
  expectedConsoleErrors.push(...[400, 401, 403, 503].map(refusedWith), /net::ERR_CONNECTION_REFUSED$/);
  // The pages of the provider ask for fonts of the internet.
  await context.route('https://fonts.googleapis.com/**', (route) =>
    route.fulfill({ contentType: 'text/css', body: '' }),
  );
});

async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Administrator' }).click();
  await page.getByRole('menuitem', { name: 'Log Out' }).click();
}

/** Enters the settings of the provider, and signs in there with them. */
async function setUp(page: Page, hub: HubProcess, provider: IdentityProvider): Promise<void> {
  await page.goto(`${hub.url}/login`);
  await signIn(page, administrator);
  await page.goto(`${hub.url}/admin/settings#provider`);
  const card = page.locator('#provider');
  await card.getByLabel('Issuer').fill(provider.issuer);
  await card.getByLabel('Client id').fill(provider.clientId);
  await card.getByLabel('Client secret').fill(provider.clientSecret);
  await card.getByLabel('Name of the provider').fill('Harbour');
  await card.getByRole('button', { name: 'Save' }).click();
  await expect(card.getByText('Not offered yet')).toBeVisible();
  await card.getByRole('button', { name: 'Test sign-in' }).click();
  await signInAtProvider(page, provider, 'ann');
  await expect(card.getByText('Signed in with these settings')).toBeVisible();
}

test('an administrator sets up a provider, links an account, signs out, signs in there, and confirms there a grave action', async ({
  page,
  startHub,
}) => {
  const hub = await startHub({ CORRAL_PRIVATE_TARGETS: '127.0.0.0/8:*' });
  const provider = await startIdentityProvider(hub);
  await setUp(page, hub, provider);
  const link = page.getByRole('button', { name: 'Link my account at Harbour' });
  // Settings apply within five seconds.
  await expect(async () => {
    await page.goto(`${hub.url}/settings/security`);
    await expect(link).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await link.click();
  await expect(page.getByText('Your account was linked')).toBeVisible();
  await logOut(page);
  await page.getByRole('button', { name: 'Sign in with Harbour' }).click();
  await expect(page).toHaveURL(/\/projects$/);

  await logOut(page);
  await page.getByRole('button', { name: 'Yes, sign me out' }).click();
  await expect(page).toHaveURL(`${hub.url}/login?signedOut=true`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('You are signed out');
  await page.getByRole('button', { name: 'Sign in with Harbour' }).click();
  await signInAtProvider(page, provider, 'ann');
  await expect(page).toHaveURL(/\/projects$/);

  const operator = await signInByApi(hub);
  const name = uniqueName('pasture');
  const { projectId } = await operator.invoke('projects_CreateProject', { name });
  await page.goto(`${hub.url}/projects/${projectId}/settings`);
  await ageSessions(hub, operator.userId);
  await page.getByRole('button', { name: 'Delete Project' }).click();
  const question = page.getByRole('alertdialog', { name: `Delete project “${name}”` });
  await question.getByRole('textbox').fill(name);
  await question.getByRole('button', { name: 'Delete Project' }).click();
  const asked = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await expect(asked.getByLabel('Password')).toBeVisible();
  const opened = page.context().waitForEvent('page');
  await asked.getByRole('button', { name: 'Confirm at Harbour' }).click();
  const other = await opened;
  await expect(asked).toContainText('Sign in at Harbour in the other tab.');
  await signInAtProvider(other, provider, 'eve');
  await expect(other.getByRole('alert')).toContainText('You did not confirm that it is you');
  await expect(asked.getByRole('alert')).toContainText('The other tab says why.');
  await asked.getByRole('button', { name: 'Cancel' }).click();
  await expect(question.getByRole('textbox')).toHaveValue(name);
  await question.getByRole('button', { name: 'Delete Project' }).click();
  const again = page.context().waitForEvent('page');
  await asked.getByRole('button', { name: 'Confirm at Harbour' }).click();
  const right = await again;
  await signInAtProvider(right, provider, 'ann');
  await expect(right.getByText('You confirmed that it is you')).toBeVisible();
  await expect(asked).toBeHidden();
  await expect(page).toHaveURL(/\/projects$/);
  await expect(page.getByRole('link', { name })).toBeHidden();

  await page.goto(`${hub.url}/settings/profile`);
  await page.getByLabel('Display name (required)').fill('Typed before');
  const elsewhere = await signInByApi(hub);
  const { sessions } = await elsewhere.invoke('users_QueryUserSessions', { userId: elsewhere.userId });
  for (const { sessionId, isCurrent } of sessions)
    if (isCurrent !== true) await elsewhere.invoke('users_TerminateUserSession', { sessionId });
  const ended = page.getByRole('dialog', { name: 'Sign in again' });
  const third = page.context().waitForEvent('page');
  await ended.getByRole('button', { name: 'Sign in with Harbour' }).click();
  await expect((await third).getByText('You are signed in again')).toBeVisible();
  await expect(ended).toBeHidden();
  await expect(page.getByLabel('Display name (required)')).toHaveValue('Typed before');
  provider.stop();
});

test('a group at the provider gives a membership and takes it, and an invitation is accepted there', async ({
  page,
  startHub,
}) => {
  const hub = await startHub({ CORRAL_PRIVATE_TARGETS: '127.0.0.0/8:*' });
  const provider = await startIdentityProvider(hub);
  const operator = await signInByApi(hub);
  const name = uniqueName('pasture');
  const { projectId } = await operator.invoke('projects_CreateProject', { name });
  await operator.invoke('projects_InviteProjectMember', { projectId, email: 'bob@example.org' });
  await setUp(page, hub, provider);
  const card = page.locator('#provider');
  await card.getByRole('button', { name: 'Add a group' }).click();
  await card.getByLabel('Group at the provider').fill('shepherds');
  await card.getByRole('combobox', { name: 'Gives' }).fill(name.slice(0, 12));
  await page.getByRole('option', { name }).click();
  await card.getByLabel('E-mail domains').fill('example.com');
  await card.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Single sign-on: saved')).toBeVisible();

  const { invitations } = await operator.invoke('projects_QueryProjectInvitations', { projectId });
  const { url } = await operator.invoke('projects_IssueProjectInvitationLink', {
    invitationId: invitations[0]!.invitationId,
  });
  await forgetSession(page);
  await page.goto(url);
  await page.getByRole('button', { name: 'Continue with Harbour' }).click();
  await signInAtProvider(page, provider, 'bob');
  await page.goto(`${hub.url}/projects`);
  await expect(page.getByRole('link', { name })).toBeVisible();

  provider.groups.set('cas', ['shepherds']);
  await forgetSession(page);
  const enter = async (): Promise<void> => {
    await page.goto(`${hub.url}/login`);
    await page.getByRole('button', { name: 'Sign in with Harbour' }).click();
    await signInAtProvider(page, provider, 'cas');
    await page.waitForURL(/\/projects$/);
  };
  await enter();
  await expect(page.getByRole('link', { name })).toBeVisible();
  await page.goto(`${hub.url}/projects/${projectId}/members`);
  await expect(page.getByText('member by a group at the provider')).toBeVisible();
  provider.groups.set('cas', []);
  await forgetSession(page);
  await enter();
  await expect(page.getByRole('link', { name })).toBeHidden();
  provider.stop();
});

test('while the provider is down the sign-in page says so, and the password works', async ({
  page,
  hub: other,
  startHub,
}) => {
  const provider = await startIdentityProvider(other);
  provider.stop();
  const hub = await startHub({
    CORRAL_OIDC_ISSUER: provider.issuer,
    CORRAL_OIDC_CLIENT_ID: provider.clientId,
    CORRAL_OIDC_CLIENT_SECRET: provider.clientSecret,
    CORRAL_OIDC_NAME: 'Harbour',
  });
  await page.goto(`${hub.url}/login`);
  await page.getByRole('button', { name: 'Sign in with Harbour' }).click();
  await expect(page.getByRole('alert')).toContainText('The provider could not be reached.');
  await signIn(page, administrator);
  await expect(page).toHaveURL(/\/projects$/);
});
