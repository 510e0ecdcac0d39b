import { newUser, signInByApi } from '../fixtures/operator.ts';
import { newRepository } from '../fixtures/repository.ts';
import { expect, openSession, test } from '../fixtures/test.ts';

test('an administrator edits the quotas of a repository in its settings', async ({
  signedIn: page,
  hub,
  operator,
}) => {
  const own = await signInByApi(hub, await newUser(operator));
  const { path, repositoryId, name } = await newRepository(own);
  const quotas = async () => {
    const { maxBytes, maxAssets } = await own.invoke('repositories_GetRepositoryDetails', { repositoryId });
    return { maxBytes, maxAssets };
  };
  await page.goto(`${path}/settings`);
  await page.getByRole('button', { name: 'Edit Quotas' }).click();
  const dialog = page.getByRole('dialog', { name: `Quotas of “${name}”` });
  const save = dialog.getByRole('button', { name: 'Save' });
  await dialog.getByLabel('Size').fill('50 apples');
  await dialog.getByLabel('Assets').fill('10000');
  await expect(dialog.getByText('Size must be a number with KiB, MiB, GiB or TiB')).toBeVisible();
  await expect(save).toBeDisabled();
  await dialog.getByLabel('Size').fill('50 GiB');
  await save.click();
  await expect(page.getByText('0 bytes of 50 GiB')).toBeVisible();
  expect(await quotas()).toEqual({ maxBytes: 53_687_091_200, maxAssets: 10_000 });
  await expect(page.getByText(`The quotas of “${name}” were saved`)).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('0 bytes, no quota')).toBeVisible();
  await expect.poll(quotas).toEqual({ maxBytes: undefined, maxAssets: undefined });
});

test('an owner who is no administrator sees quotas, and no way to edit them', async ({
  page,
  hub,
  operator,
}) => {
  const user = await newUser(operator);
  const { path, repositoryId } = await newRepository(await signInByApi(hub, user));
  await operator.invoke('repositories_SetQuota', { repositoryId, maxBytes: 1_048_576 });
  await openSession(page, hub, user);
  await page.goto(`${path}/settings`);
  await expect(page.getByRole('button', { name: 'Rename Repository' })).toBeEnabled();
  await expect(page.getByText('0 bytes of 1 MiB')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Edit Quotas' })).toHaveCount(0);
});
