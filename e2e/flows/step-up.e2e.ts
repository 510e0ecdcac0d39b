import { ageSessions } from '../fixtures/age-sessions.ts';
import { codeOf } from '../fixtures/authenticator.ts';
import { newUser, signInByApi, uniqueName } from '../fixtures/operator.ts';
import { expect, refusedWith, test, useSession } from '../fixtures/test.ts';

test.beforeEach(({ expectedConsoleErrors }) => {
  expectedConsoleErrors.push(refusedWith(403), refusedWith(400));
});

test('deleting a project in an old session asks for the password; cancelling changes nothing, confirming deletes it', async ({
  page,
  hub,
  operator,
}) => {
  const user = await newUser(operator);
  const owner = await signInByApi(hub, user);
  const name = uniqueName('pasture');
  const { projectId } = await owner.invoke('projects_CreateProject', { name });
  await useSession(page, hub, owner.cookie);
  await page.goto(`/projects/${projectId}/settings`);
  await ageSessions(hub, user.userId);
  await page.getByRole('button', { name: 'Delete Project' }).click();
  const question = page.getByRole('alertdialog', { name: `Delete project “${name}”` });
  await question.getByRole('textbox').fill(name);
  await question.getByRole('button', { name: 'Delete Project' }).click();
  const asked = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await asked.getByRole('button', { name: 'Cancel' }).click();
  await expect(question.getByRole('alert')).toContainText('you did not confirm that it is you');
  await expect(question.getByRole('textbox')).toHaveValue(name);
  await question.getByRole('button', { name: 'Delete Project' }).click();
  const password = asked.getByLabel('Password');
  await expect(password).toBeFocused();
  await password.fill('not this one');
  await asked.getByRole('button', { name: 'Confirm' }).click();
  await expect(asked.getByRole('alert')).toContainText('This password is not right.');
  await password.fill(user.password);
  await password.press('Enter');
  await expect(asked).toBeHidden();
  await expect(page).toHaveURL(/\/projects$/);
  await expect(page.getByRole('link', { name })).toBeHidden();
});

test('with a second factor a code is asked for; other tabs of the browser go on', async ({
  page,
  hub,
  operator,
}) => {
  const user = await newUser(operator);
  const owner = await signInByApi(hub, user);
  const { secret } = await owner.invoke('users_BeginAuthenticatorEnrolment', {});
  await owner.invoke('users_ConfirmAuthenticatorEnrolment', { code: codeOf(secret) });
  await useSession(page, hub, owner.cookie);
  const other = await page.context().newPage();
  await other.goto('/projects');
  await page.goto('/settings/security');
  await ageSessions(hub, user.userId);
  await page.getByRole('button', { name: 'New recovery codes' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'New recovery codes' }).click();
  const asked = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await asked.getByLabel('Code from the app').fill(codeOf(secret, 30));
  await asked.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByRole('dialog', { name: 'Your recovery codes' }).getByRole('listitem')).toHaveCount(
    10,
  );
  await other.goto('/settings/sessions');
  await expect(other.getByText('Password, Authenticator')).toBeVisible();
  await other.close();
});
