import type { Page } from '@playwright/test';
import { mailedLinks } from '../fixtures/mailed-links.ts';
import { newUser, signInByApi, uniqueName } from '../fixtures/operator.ts';
import { expect, refusedWith, signIn, test } from '../fixtures/test.ts';

const password = 'denim-rivet-and-canvas';

/** The members page of a project or a repository: invites an address there. */
async function invite(page: Page, address: string, email: string): Promise<void> {
  await page.goto(address);
  await page.getByRole('button', { name: 'Invite User' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite User' });
  await dialog.getByLabel('Email').fill(email);
  await dialog.getByRole('button', { name: 'Invite' }).click();
  await expect(page.getByRole('table', { name: 'Invitations' })).toContainText(email);
}

test('two users: one invites the other by e-mail to a project and a repository; the other signs up, accepts, is made owner, and removes the first', async ({
  page,
  hub,
  operator,
  browser,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(refusedWith(401), refusedWith(400));
  const mara = await newUser(operator, 'Mara Keller');
  const api = await signInByApi(hub, mara);
  const name = uniqueName('quay');
  const { projectId } = await api.invoke('projects_CreateProject', { name });
  const created = await api.invoke('repositories_CreateRepository', { name });
  if (created.result !== 'Created') throw new Error('there is such a repository');
  const project = `/projects/${projectId}/members`;
  const repository = `/repositories/${created.repositoryId}/members`;
  const kim = { email: `${uniqueName('kim')}@example.org`, password };
  await page.goto('/login');
  await signIn(page, mara);
  const invitations = mailedLinks(hub, /\/signup\?invitation=[\w.-]+/);
  await invite(page, repository, kim.email);
  await expect.poll(() => invitations().length).toBe(1);
  await invite(page, project, kim.email);
  await expect.poll(() => invitations().length).toBe(2);
  const context = await browser.newContext();
  const other = await context.newPage();
  await other.goto(`${hub.url}${invitations()[1] ?? ''}`);
  await expect(other.getByText('Mara Keller invites you to the project')).toContainText(name);
  await expect(other.getByLabel('Email')).toHaveValue(kim.email);
  await expect(other.getByLabel('Email')).not.toBeEditable();
  await other.getByLabel('Full name').fill('Kim Osei');
  await other.getByLabel('Password (required)', { exact: true }).fill(password);
  await other.getByLabel('Confirm password').fill(password);
  await other.getByRole('checkbox', { name: 'I agree to the Terms of Service' }).check();
  await other.getByRole('button', { name: 'Sign Up' }).click();
  // The hub has no mail server: the account gets the invitation of its link, and the other one once an administrator confirms the address.
  await expect(other.getByRole('heading', { name: 'Account Activated' })).toBeVisible();
  await other.getByRole('link', { name: 'Go now' }).click();
  await signIn(other, kim);
  await expect(other).toHaveURL(/\/user\/invitations$/);
  await expect(other.getByRole('button', { name: /Kim Osei.*1 invitation$/ })).toBeVisible();
  const { users } = await operator.invoke('users_QueryUsers', { search: kim.email });
  await operator.invoke('users_ConfirmUserEmail', { userId: users[0]?.userId ?? 'u_none' });
  await expect(other.getByRole('button', { name: /Kim Osei.*2 invitations/ })).toBeVisible();
  for (const left of [1, 0]) {
    await other
      .getByRole('button', { name: `Accept the invitation to “${name}”` })
      .first()
      .click();
    await expect(other.getByRole('row')).toHaveCount(left === 0 ? 0 : left + 1);
  }
  await expect(other.getByRole('button', { name: /Kim Osei$/ })).toBeVisible();

  // Both pages are live: nothing is loaded again by hand.
  await expect(page.getByRole('table', { name: 'Members' })).toContainText('Kim Osei');
  await expect(page.getByRole('table', { name: 'Invitations' })).toHaveCount(0);
  await other.goto(`${hub.url}${project}`);
  await expect(other.getByRole('button', { name: 'Remove Mara Keller' })).toBeDisabled();
  await page.getByRole('button', { name: 'Make Owner: Kim Osei' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Make Owner' }).click();
  await expect(other.getByRole('button', { name: 'Remove Mara Keller' })).toBeEnabled();
  await other.getByRole('button', { name: 'Remove Mara Keller' }).click();
  await other.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await expect(other.getByRole('table', { name: 'Members' })).not.toContainText('Mara Keller');
  await expect(other.getByRole('button', { name: 'Leave' })).toBeDisabled();
  // The open page of the removed one closes by itself.
  await expect(page.getByRole('heading', { name: 'Page not Found' })).toBeVisible();
  await context.close();
});

test('a list of addresses is still there after Back has closed its dialog', async ({
  signedIn: page,
  project: { projectId },
}) => {
  await page.goto(`/projects/${projectId}/devices`);
  await page
    .getByRole('navigation', { name: 'Project' })
    .getByRole('link', { name: /^Members/ })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Invite User' });
  const field = dialog.getByLabel('Email');
  await page.getByRole('button', { name: 'Invite User' }).click();
  await field.fill('kim@example.org, jon@example.org');
  await page.goBack();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(/\/members$/);
  await page.getByRole('button', { name: 'Invite User' }).click();
  await expect(field).toHaveValue('kim@example.org, jon@example.org');
});
