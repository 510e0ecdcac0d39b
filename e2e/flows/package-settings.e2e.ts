import { newUser, signInByApi } from '../fixtures/operator.ts';
import { newRepository, publish } from '../fixtures/repository.ts';
import { expect, openSession, test } from '../fixtures/test.ts';

test('a version is renamed, described, loses a file and is deleted, each after what that means', async ({
  signedIn: page,
  operator,
}) => {
  const repository = await newRepository(operator);
  const files = { 'press.img': 'v1', 'notes.txt': 'Better bearings.' };
  const version = await publish(operator, repository, {
    package: 'press',
    name: '1.3.0',
    files,
    tags: [{ tag: 'latest' }],
  });
  const { versionId } = version;
  const details = () => operator.invoke('repositories_GetPackageVersionDetails', { versionId });
  await page.goto(version.path);
  await page.getByRole('button', { name: 'Rename Version' }).click();
  const rename = page.getByRole('dialog', { name: 'Rename “1.3.0”' });
  await rename.getByLabel('Name (optional)').fill('1.3.1');
  await rename.getByRole('button', { name: 'Rename Version' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Version 1.3.1' })).toBeVisible();

  await page.getByRole('button', { name: 'Add metadata' }).click();
  const edit = page.getByRole('dialog', { name: 'Add metadata' });
  await edit.getByLabel('Key').fill('target');
  await edit.getByLabel('Value').fill('{"arch": "arm64"}');
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('main').getByText('arm64')).toBeVisible();
  expect((await details()).metadata).toEqual({ target: { arch: 'arm64' } });

  await page.getByRole('button', { name: 'View notes.txt' }).click();
  await page.getByRole('dialog', { name: 'notes.txt' }).getByRole('button', { name: 'Remove File' }).click();
  const removal = page.getByRole('alertdialog', { name: 'Remove the file notes.txt' });
  await expect(removal).toContainText(
    'Version 1.3.1 no longer has it. latest points at this version: devices that follow it do not get the file any more. No other file has the same bytes: they are deleted after a day.',
  );
  await removal.getByRole('button', { name: 'Remove File' }).click();
  await expect(page.getByText('notes.txt was removed')).toBeVisible();
  expect((await details()).assets.map(({ filename }) => filename)).toEqual(['press.img']);

  await page.getByRole('button', { name: 'Delete Version' }).click();
  const question = page.getByRole('alertdialog', { name: 'Delete version “1.3.1”' });
  await expect(question).toContainText(
    'The tag latest goes with it: devices that follow it find nothing afterwards.',
  );
  await question.getByRole('textbox').fill('1.3.1');
  await question.getByRole('button', { name: 'Delete Version' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'press' })).toBeVisible();
  await expect(page.getByText('Version “1.3.1” was deleted')).toBeVisible();
  await expect(page.getByText('No versions')).toBeVisible();
});

test('a package is renamed unless the name is taken, gets another kind, and is deleted after its name was typed', async ({
  signedIn: page,
  operator,
}) => {
  const repository = await newRepository(operator);
  await publish(operator, repository, { package: 'taken' });
  const { packagePath } = await publish(operator, repository, { package: 'press' });
  await page.goto(packagePath);
  await page.getByRole('main').getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Rename Package' }).click();
  const rename = page.getByRole('dialog', { name: 'Rename “press”' });
  await rename.getByLabel('Name (required)').fill('taken');
  await rename.getByRole('button', { name: 'Rename Package' }).click();
  await expect(rename.getByRole('alert')).toContainText('The repository has a package named taken already.');
  await rename.getByLabel('Name (required)').fill('winch');
  await rename.getByRole('button', { name: 'Rename Package' }).click();
  await expect(page.getByText('The package is now called “winch”')).toBeVisible();
  await page.getByRole('button', { name: 'Change Kind' }).click();
  await page.getByRole('dialog').getByLabel('Kind (optional)').fill('rauc');
  await page.getByRole('dialog').getByRole('button', { name: 'Change Kind' }).click();
  await expect(page.getByText('The kind is now rauc')).toBeVisible();
  await page.getByRole('button', { name: 'Delete Package' }).click();
  const question = page.getByRole('alertdialog', { name: 'Delete package “winch”' });
  await question.getByRole('textbox').fill('winch');
  await question.getByRole('button', { name: 'Delete Package' }).click();
  await expect(page).toHaveURL(new RegExp(`${repository.path}/packages$`));
  await expect(page.getByText('Package “winch” was deleted')).toBeVisible();
  await expect(page.getByRole('table', { name: 'Packages' })).not.toContainText('winch');
});

const locked = {
  package: 'press',
  name: '1.3.0',
  files: { 'press.img': 'v1' },
  tags: [{ tag: 'v1', locked: true }],
};

test('a locked tag keeps a version and its files', async ({ signedIn: page, operator }) => {
  const version = await publish(operator, await newRepository(operator), locked);
  await page.goto(version.path);
  await expect(page.getByRole('button', { name: 'Delete Version' })).toHaveAccessibleDescription(
    'The locked tag v1 points at it for good, so it stays.',
  );
  await page.getByRole('button', { name: 'View press.img' }).click();
  await expect(page.getByRole('button', { name: 'Remove File' })).toHaveAccessibleDescription(
    'The locked tag v1 points at this version: its files stay as they are.',
  );
});

test('a reader sees no way to change packages, versions and files', async ({ page, hub, operator }) => {
  const repository = await newRepository(operator);
  const version = await publish(operator, repository, locked);
  const { repositoryId } = repository;
  await operator.invoke('repositories_SetRepositoryVisibility', { repositoryId, visibility: 'Public' });
  const user = await newUser(operator);
  await signInByApi(hub, user);
  await openSession(page, hub, user);
  await page.goto(version.path);
  await page.getByRole('button', { name: 'View press.img' }).click();
  const drawer = page.getByRole('dialog', { name: 'press.img' });
  await expect(drawer.getByRole('button', { name: 'Download' })).toBeVisible();
  await expect(drawer.getByRole('button', { name: 'Remove File' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  for (const name of ['Rename Version', 'Delete Version', 'Add metadata', 'Upload Files'])
    await expect(page.getByRole('button', { name })).toHaveCount(0);
  await page.goto(`${version.packagePath}/settings`);
  await expect(page.getByText('Only members of the repository see this')).toBeVisible();
});
