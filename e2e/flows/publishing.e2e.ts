import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Id } from '@corral/contract';
import type { Download, Page } from '@playwright/test';
import { newProject, newUser, signInByApi, uniqueName, type Operator } from '../fixtures/operator.ts';
import { newRepository, publish } from '../fixtures/repository.ts';
import { expect, openSession, test } from '../fixtures/test.ts';
import { uploadOf } from '../fixtures/uploads.ts';

const digestOf = (bytes: Buffer): string => `sha256_${createHash('sha256').update(bytes).digest('hex')}`;

/** The tags of a package, with the names of their versions. */
async function tagsOf(operator: Operator, packageId: Id<'package'>) {
  const { versions } = await operator.invoke('repositories_QueryPackageVersions', { packageId });
  return Object.fromEntries(versions.flatMap(({ name, tags }) => tags.map(({ tag }) => [tag, name])));
}

async function chooseFiles(page: Page, files: Readonly<Record<string, Buffer>>): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose Files' }).click();
  const chosen = Object.entries(files).map(([name, buffer]) => ({ name, mimeType: '', buffer }));
  await (await choosing).setFiles(chosen);
}

async function download(page: Page, name: string): Promise<Buffer> {
  // Listens before the click: a tab may begin to download before the test is told of it.
  const downloading = new Promise<Download>((resolve) =>
    page.context().once('page', (tab) => tab.on('download', resolve)),
  );
  await page.getByRole('button', { name: `Download ${name}` }).click();
  return readFile(await (await downloading).path());
}

test('a package and its first version are made in the browser, and its files are downloaded with the same bytes', async ({
  signedIn: page,
  operator,
}) => {
  const repository = await newRepository(operator);
  const project = await newProject(operator);
  const { repositoryId } = repository;
  await operator.invoke('projects_AddProjectRepository', { projectId: project.projectId, repositoryId });
  await publish(operator, repository, { package: 'taken' });
  await page.goto(`${repository.path}/packages`);
  await page.getByRole('button', { name: 'New Package' }).click();
  const dialog = page.getByRole('dialog', { name: 'New Package' });
  const create = dialog.getByRole('button', { name: 'New Package' });
  await dialog.getByLabel('Name (required)').fill('a/b');
  await expect(create).toBeDisabled();
  await dialog.getByLabel('Name (required)').fill('taken');
  await dialog.getByLabel('Kind (optional)').fill('rauc');
  await create.click();
  await expect(dialog.getByRole('alert')).toContainText('The repository has a package named taken already.');
  await dialog.getByLabel('Name (required)').fill('press');
  await create.click();
  await expect(page.getByRole('heading', { level: 1, name: 'press' })).toBeVisible();
  await expect(page.getByText('Package “press” was created')).toBeVisible();
  await expect(page.getByText('rauc · 0 versions')).toBeVisible();

  await page.getByRole('link', { name: 'New Version' }).click();
  await page.getByLabel('Name (optional)').fill('1.4.0');
  const files = { 'press.img': randomBytes(3_000_000), 'notes.txt': Buffer.from('Better bearings.') };
  await chooseFiles(page, files);
  await page.getByRole('button', { name: 'latest: take this tag' }).click();
  await page.getByLabel('Another tag').fill('v1.4');
  await page.getByRole('button', { name: 'Add Tag' }).click();
  await expect(page.getByText(project.name)).toBeVisible();
  const metadata = page.getByRole('region', { name: 'Metadata' });
  await metadata.getByRole('button', { name: 'Add' }).click();
  await page.getByRole('dialog', { name: 'Add metadata' }).getByLabel('Key').fill('commit');
  await page.getByRole('dialog', { name: 'Add metadata' }).getByLabel('Value').fill('4f2a');
  await page.getByRole('dialog', { name: 'Add metadata' }).getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Publish 1.4.0' }).click();

  await expect(page.getByRole('heading', { level: 1, name: 'Version 1.4.0' })).toBeVisible();
  await expect(page.getByText('2 tags point at 1.4.0')).toBeVisible();
  await expect(page.getByRole('main').getByText('4f2a')).toBeVisible();
  for (const [name, bytes] of Object.entries(files))
    expect(digestOf(await download(page, name))).toBe(digestOf(bytes));
  await page.getByRole('link', { name: 'press', exact: true }).click();
  await expect(page.getByRole('main').getByText('1.4.0').first()).toBeVisible();
  await expect(page.getByRole('main').getByText('latest').first()).toBeVisible();
});

test('a tag stays at the version before while an upload fails, also after a reload, and moves when the files are complete', async ({
  signedIn: page,
  operator,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/Failed to load resource/);
  const repository = await newRepository(operator);
  const before = { package: 'press', name: '1.3.0', files: { 'press.img': 'v1' }, tags: [{ tag: 'latest' }] };
  const { packageId, packagePath } = await publish(operator, repository, before);
  const refused = { kind: 'Invalid', message: 'The quota is reached.' };
  const creating = '**/repositories_CreateAsset';
  await page.route(creating, (route) => route.fulfill({ status: 400, json: refused }));
  await page.goto(`${packagePath}/new`);
  await page.getByLabel('Name (optional)').fill('1.4.0');
  await chooseFiles(page, { 'press.img': Buffer.from('v2') });
  await page.getByRole('button', { name: 'latest: take this tag' }).click();
  const changes = page.getByRole('region', { name: 'What changes' });
  await expect(changes.getByRole('listitem')).toHaveText('latest1.3.0to1.4.0');
  await page.getByRole('button', { name: 'Publish 1.4.0' }).click();
  await expect(uploadOf(page, 'press.img').getByRole('alert')).toHaveText('The quota is reached.');
  const notice = page.getByRole('note').filter({ hasText: 'This version is unfinished: latest is not set' });
  await expect(notice).toBeVisible();
  const set = notice.getByRole('button', { name: 'Set Tag' });
  await expect(set).toHaveAttribute('aria-disabled', 'true');
  expect(await tagsOf(operator, packageId)).toEqual({ latest: '1.3.0' });

  await page.reload();
  await expect(notice).toContainText('Choose the missing files again.');
  await expect(set).toHaveAttribute('aria-disabled', 'true');
  await page.unroute(creating);
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Upload Files' }).click();
  await (await choosing).setFiles([{ name: 'press.img', mimeType: '', buffer: Buffer.from('v2') }]);
  await expect(uploadOf(page, 'press.img').getByText('Added', { exact: true })).toBeVisible();
  expect(await tagsOf(operator, packageId)).toEqual({ latest: '1.3.0' });
  await set.click();
  await expect(page.getByText('“latest” points at 1.4.0')).toBeVisible();
  await expect(notice).toHaveCount(0);
  expect(await tagsOf(operator, packageId)).toEqual({ latest: '1.4.0' });
});

test('a version that is deleted before its files are complete leaves nothing behind in the browser', async ({
  signedIn: page,
  operator,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/Failed to load resource/);
  const repository = await newRepository(operator);
  const { packagePath } = await publish(operator, repository, { package: 'press', name: '1.3.0' });
  await page.route('**/r/assets/**', (route) => route.abort('connectionreset'));
  await page.goto(`${packagePath}/new`);
  await page.getByLabel('Name (optional)').fill('1.4.0');
  await chooseFiles(page, { 'press.img': Buffer.from('v2') });
  await page.getByRole('button', { name: 'latest: take this tag' }).click();
  await page.getByRole('button', { name: 'Publish 1.4.0' }).click();
  await expect(uploadOf(page, 'press.img')).toContainText('It continues automatically.');
  const kept = () =>
    page.evaluate(() => Object.keys(localStorage).filter((key) => /unfinished/.test(key)).length);
  expect(await kept()).toBe(2);
  await page.getByRole('button', { name: 'Delete Version' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete Version' }).click();
  await expect(page.getByText('Version “1.4.0” was deleted')).toBeVisible();
  expect(await kept()).toBe(0);
  await page.getByRole('link', { name: 'New Version' }).click();
  await expect(page.getByLabel('Name (optional)')).toHaveValue('');
});

test('a locked tag cannot be taken, a typed tag is not lost, and what was composed stays while other pages are shown', async ({
  signedIn: page,
  operator,
}) => {
  const repository = await newRepository(operator);
  const before = { package: 'press', name: '1.3.0', tags: [{ tag: 'v1', locked: true }, { tag: 'stable' }] };
  const { packagePath } = await publish(operator, repository, before);
  await page.goto(`${packagePath}/new`);
  await expect(page.getByRole('button', { name: 'stable: take this tag' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'v1: take this tag' })).toHaveCount(0);
  const publishing = page.getByRole('button', { name: /^Publish/ });
  await page.getByLabel('Another tag').fill('v1');
  await expect(publishing).toHaveAccessibleDescription('Add the tag v1, or clear its field.');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('list', { name: 'Tags to set' })).toContainText(
    'is locked at 1.3.0 and can never be moved. Choose another one.',
  );
  await expect(publishing).toHaveAccessibleDescription('The tag v1 is locked elsewhere.');
  await page.getByRole('button', { name: 'Leave out the tag v1' }).click();
  await page.getByLabel('Name (optional)').fill('1.4.0');
  await chooseFiles(page, { 'press.img': Buffer.from('v2') });
  await page.keyboard.press('Escape');
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'press' }).click();
  await page.getByRole('link', { name: 'New Version' }).click();
  await expect(page.getByLabel('Name (optional)')).toHaveValue('1.4.0');
  await expect(page.getByRole('list', { name: 'Files to publish' })).toContainText('press.img');
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('link', { name: 'New Version' }).click();
  await expect(page.getByLabel('Name (optional)')).toHaveValue('');
});

test('a reader sees no way to create packages and versions', async ({ page, hub, operator }) => {
  const user = await newUser(operator);
  const repository = await newRepository(operator);
  const { packagePath } = await publish(operator, repository, { package: 'press', name: uniqueName('1') });
  const { repositoryId } = repository;
  await operator.invoke('repositories_SetRepositoryVisibility', { repositoryId, visibility: 'Public' });
  await signInByApi(hub, user);
  await openSession(page, hub, user);
  await page.goto(`${repository.path}/packages`);
  await expect(page.getByText('Packages can currently only be managed through the CLI.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'New Package' })).toHaveCount(0);
  await page.goto(packagePath);
  await expect(page.getByRole('heading', { level: 1, name: 'press' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'New Version' })).toHaveCount(0);
  await page.goto(`${packagePath}/new`);
  await expect(page.getByText('Only members of the repository see this')).toBeVisible();
});
