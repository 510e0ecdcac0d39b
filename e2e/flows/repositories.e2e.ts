import type { Download, Locator, Page } from '@playwright/test';
import { cancelDialog } from '../fixtures/cancel-dialog.ts';
import { newProject, newUser, signInByApi, uniqueName } from '../fixtures/operator.ts';
import { newRepository, publish, uploadAsset } from '../fixtures/repository.ts';
import { expect, openSession, refusedWith, test } from '../fixtures/test.ts';

const table = (page: Page, name: string) => page.getByRole('table', { name });
async function headers(of: Locator): Promise<string[]> {
  await of.waitFor();
  return of.getByRole('columnheader').allTextContents();
}

/** Presses Undo in a toast, which is the newest: it is before the others. */
async function undoNewest(page: Page, title: string): Promise<void> {
  const toasts = page.getByRole('region', { name: 'Notifications' });
  await expect(toasts.getByText(title).first()).toBeVisible();
  await toasts.getByRole('button', { name: 'Undo' }).first().click();
}

test('"/repositories: card grid (3 columns) with name and package count, with a New Repository dialog.", "the user stays on the page" and "Failed repository creation: only logged to the console."', async ({
  page,
  hub,
  operator,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/^A repository named .* exists already\./u);
  const user = await newUser(operator);
  const own = await signInByApi(hub, user);
  await openSession(page, hub, user);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto('/repositories');
  await expect(page.getByRole('heading', { name: 'Create your first repository' })).toBeVisible();
  const taken = await newRepository(operator);
  const name = uniqueName('firmware');
  await page.keyboard.press('c');
  const dialog = page.getByRole('dialog', { name: 'New Repository' });
  await dialog.getByLabel('Name (required)').fill(taken.name);
  await dialog.getByRole('button', { name: 'New Repository' }).click();
  await expect(dialog.getByRole('alert')).toContainText(`A repository named ${taken.name} exists already.`);
  await expect(page).toHaveURL(/\/repositories$/);
  await dialog.getByLabel('Name (required)').fill(name);
  await dialog.getByRole('button', { name: 'New Repository' }).click();
  await expect(page).toHaveURL(/\/repositories\/repo_\w{22}\/packages$/);
  for (let count = 0; count < 3; count += 1) await newRepository(own);
  await page.getByRole('banner').getByRole('link', { name: 'Repositories' }).click();
  const cards = page.getByRole('main').getByRole('article');
  await expect(cards).toHaveCount(4);
  const tops = await Promise.all([0, 1, 2, 3].map(async (nth) => (await cards.nth(nth).boundingBox())?.y));
  expect(new Set(tops.slice(0, 3)).size).toBe(1);
  expect(tops[3]).toBeGreaterThan(tops[0] ?? Number.NaN);
  const card = cards.filter({ hasText: name });
  for (const text of ['0 packages', 'Private', 'Owner']) await expect(card.getByText(text)).toBeVisible();
});

test('"sidebar with name and id; index redirects to packages": every page is one click away, with its count', async ({
  signedIn: page,
  operator,
}) => {
  const repository = await newRepository(operator);
  await publish(operator, repository, { package: 'gate', files: { 'gate.img': 'v1' } });
  await page.goto(repository.path);
  await expect(page).toHaveURL(`${repository.path}/packages`);
  const sidebar = page.getByRole('navigation', { name: 'Repository' });
  for (const name of ['Assets 1', 'Log', 'Settings', 'Packages 1']) {
    await sidebar.getByRole('link', { name }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name.split(' ')[0]!);
  }
  await expect(page.getByRole('button', { name: repository.name })).toBeVisible();
  await expect(page.getByRole('button', { name: /^repo_.*, copy repository ID/ })).toHaveAttribute(
    'title',
    repository.repositoryId,
  );
});

test('a repository without access looks the same as one that does not exist', async ({
  page,
  hub,
  operator,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(refusedWith(400));
  const foreign = await newRepository(operator);
  await openSession(page, hub, await newUser(operator));
  const screens: string[] = [];
  for (const id of [foreign.repositoryId, 'repo_1111111111111111111111', 'nonsense']) {
    await page.goto(`/repositories/${id}/packages`);
    await expect(page.getByRole('heading', { level: 1, name: 'Page not Found' })).toBeVisible();
    screens.push(await page.getByRole('main').innerText());
  }
  expect(new Set(screens).size).toBe(1);
});

test('"packages: heading says packages can currently only be managed through the CLI." and "Columns Name and Actions (View opens the package)."', async ({
  signedIn: page,
  operator,
}) => {
  const repository = await newRepository(operator);
  await page.goto(`${repository.path}/packages`);
  await expect(page.getByText('Packages can currently only be managed through the CLI.')).toBeVisible();
  await expect(page.getByText(`corral packages create ${repository.name}/my-package`)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'No packages' })).toBeVisible();
  const { packagePath } = await publish(operator, repository, { package: 'gate', name: '1.0.0' });
  const packages = table(page, 'Packages');
  await expect(packages.getByRole('cell', { name: '1.0.0' })).toBeVisible();
  const columns = await headers(packages);
  expect([columns[0], columns.at(-1)]).toEqual(['Name', 'Actions']);
  await packages.getByRole('link', { name: 'View gate' }).click();
  await expect(page).toHaveURL(packagePath);
  await expect(page.getByRole('heading', { level: 1, name: 'gate' })).toBeVisible();
});

test('"package versions list with columns Id, Created At, Tags (badge per tag; locked tags styled differently), Actions (View)": live', async ({
  signedIn: page,
  operator,
}) => {
  const repository = await newRepository(operator);
  const first = await publish(operator, repository, {
    package: 'gate',
    tags: [{ tag: 'latest' }, { tag: 'v1', locked: true }],
  });
  await page.goto(first.packagePath);
  const versions = table(page, 'Versions');
  expect(await headers(versions)).toEqual(['Id', 'Created At', 'Tags', 'Actions']);
  // The text of the whole row would not do: an id may contain "v1", too.
  const row = versions.getByRole('row').filter({ hasText: 'v1 (locked)' });
  const [plain, locked] = [row.getByText('latest'), row.getByText('v1 (locked)')];
  await expect(locked).toContainText('(locked)');
  const none = 'rgba(0, 0, 0, 0)';
  await expect(plain.locator('xpath=..')).toHaveCSS('background-color', none);
  await expect(locked.locator('xpath=..')).not.toHaveCSS('background-color', none);
  const second = await publish(operator, repository, { package: 'gate', tags: [{ tag: 'latest' }] });
  const newest = versions.getByRole('row').nth(1);
  await expect(newest.getByText('latest')).toBeVisible();
  await expect(row.getByText('latest')).toBeHidden();
  await newest.getByRole('link', { name: /^View/ }).click();
  await expect(page).toHaveURL(second.path);
});

test('"version detail showing tags and a table of assets with Filename, Digest, Size in bytes, Actions": "Sizes are shown in bytes."', async ({
  signedIn: page,
  operator,
}) => {
  const repository = await newRepository(operator);
  const content = 'x'.repeat(12_345);
  const version = await publish(operator, repository, {
    package: 'gate',
    name: '1.0.0',
    files: { 'gate.img': content },
    tags: [{ tag: 'stable' }],
    metadata: { commit: '0f3c9a1' },
  });
  await page.goto(version.path);
  await expect(page.getByRole('heading', { level: 1, name: 'Version 1.0.0' })).toBeVisible();
  await expect(page.getByRole('main').getByText('stable', { exact: true })).toBeVisible();
  await expect(page.getByText('0f3c9a1')).toBeVisible();
  const files = table(page, 'Files');
  expect(await headers(files)).toEqual(['Filename', 'Digest', 'Size in bytes', 'Actions']);
  await expect(files.getByRole('cell', { name: '12,345' })).toBeVisible();
  await expect(files.getByRole('button', { name: /^sha256_.*, copy digest/ })).toBeVisible();
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'gate' }).click();
  await expect(page).toHaveURL(version.packagePath);
});

test('"a download button opening the returned url in a new tab": the file arrives under its name', async ({
  signedIn: page,
  operator,
}) => {
  const repository = await newRepository(operator);
  const version = await publish(operator, repository, {
    package: 'gate',
    files: { 'gate image.txt': 'the bytes' },
  });
  await page.goto(version.path);
  // Listens before the click: a tab may begin to download before the test is told of it.
  const downloading = new Promise<Download>((resolve) =>
    page.context().on('page', (tab) => tab.on('download', resolve)),
  );
  await page.getByRole('button', { name: 'Download gate image.txt' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('gate image.txt');
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  expect(Buffer.concat(chunks).toString()).toBe('the bytes');
});

test('"assets: columns Name (asset id), Digest, Size (bytes), Actions": the drawer shows who uses an asset, and deletes an unused one', async ({
  signedIn: page,
  operator,
}) => {
  const repository = await newRepository(operator);
  const version = await publish(operator, repository, {
    package: 'gate',
    name: '1.0.0',
    files: { 'gate.img': 'used' },
  });
  const unused = await uploadAsset(operator, repository.repositoryId, 'not used by anything');
  await page.goto(`${repository.path}/assets`);
  const assets = table(page, 'Assets');
  const columns = await headers(assets);
  expect([...columns.slice(0, 3), columns.at(-1)]).toEqual(['Name', 'Digest', 'Size', 'Actions']);
  await assets.getByRole('button', { name: `View ${version.assetIds[0]}` }).click();
  // By its name, since toasts are dialogs too.
  const drawer = page.getByRole('dialog', { name: 'Asset', exact: true });
  await expect(drawer.getByRole('link', { name: 'gate 1.0.0' })).toHaveAttribute('href', version.path);
  await expect(drawer.getByRole('button', { name: 'Delete' })).toHaveAttribute('aria-disabled', 'true');
  await page.keyboard.press('Escape');
  await assets.getByRole('button', { name: `View ${unused}` }).click();
  await expect(page).toHaveURL(`${repository.path}/assets?asset=${unused}`);
  await drawer.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(drawer).toBeHidden();
  await expect(assets.getByRole('row').filter({ hasText: 'Available' })).toHaveCount(1);
});

test('the tag history leads from a move to its entry in the "log: audit log."', async ({
  signedIn: page,
  operator,
}) => {
  const repository = await newRepository(operator);
  await publish(operator, repository, { package: 'gate', name: '1.0.0', tags: [{ tag: 'latest' }] });
  const second = await publish(operator, repository, {
    package: 'gate',
    name: '1.1.0',
    tags: [{ tag: 'latest' }],
  });
  await page.goto(second.packagePath);
  await page.getByRole('link', { name: 'Tag history' }).click();
  const moved = page.getByRole('listitem').filter({ hasText: 'moved' });
  await expect(moved.getByRole('link', { name: '1.0.0' })).toBeVisible();
  await expect(moved.getByRole('link', { name: '1.1.0' })).toHaveAttribute('href', second.path);
  await expect(moved.getByText('Administrator')).toBeVisible();
  await moved.getByRole('link', { name: 'Log entry: latest moved' }).click();
  const entry = page.getByRole('dialog');
  await expect(entry).toContainText('repositories_TagMoved');
  await expect(entry).toContainText(second.versionId);
  await page.keyboard.press('Escape');
  await expect(table(page, 'Log')).toContainText('repositories_Created');
  await expect(table(page, 'Log')).not.toContainText('repositoryId=');
});

test('"settings: change visibility (button reads Make Public when Private, otherwise Make Private) and delete repository." and "Repository visibility toggles Private and Public."', async ({
  signedIn: page,
  operator,
}) => {
  const repository = await newRepository(operator);
  await publish(operator, repository, {
    package: 'gate',
    files: { 'gate.img': 'public bytes' },
    tags: [{ tag: 'latest' }],
  });
  await page.goto(`${repository.path}/settings`);
  await page.getByRole('button', { name: 'Make Public' }).click();
  const prompt = page.getByRole('alertdialog');
  await expect(prompt).toContainText('Anyone with the address will be able to download its 1 asset');
  await prompt.getByRole('button', { name: 'Make Public' }).click();
  await expect(page.getByRole('button', { name: 'Make Private' })).toBeVisible();
  const visibility = async () =>
    (await operator.invoke('repositories_GetRepositoryDetails', { repositoryId: repository.repositoryId }))
      .visibility;
  await expect.poll(visibility).toBe('Public');
  await page.getByRole('button', { name: 'Make Private' }).click();
  await prompt.getByRole('button', { name: 'Make Private' }).click();
  await expect.poll(visibility).toBe('Private');
  await undoNewest(page, `“${repository.name}” is private`);
  await expect.poll(visibility).toBe('Public');
});

test('a renamed repository has its name everywhere at once, and its public addresses move', async ({
  signedIn: page,
  hub,
  operator,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(refusedWith(400));
  const repository = await newRepository(operator);
  const { repositoryId } = repository;
  await publish(operator, repository, {
    package: 'gate',
    files: { 'gate.img': 'public bytes' },
    tags: [{ tag: 'latest' }],
  });
  await operator.invoke('repositories_SetRepositoryVisibility', { repositoryId, visibility: 'Public' });
  const taken = await newRepository(operator);
  const next = uniqueName('renamed');
  const statusOf = async (name: string) => (await fetch(`${hub.url}/r/${name}/gate/latest/gate.img`)).status;
  expect([await statusOf(repository.name), await statusOf(next)]).toEqual([200, 404]);
  await page.goto(`${repository.path}/settings`);
  await page.getByRole('button', { name: 'Rename Repository' }).click();
  // A toast is a dialog, too.
  const dialog = page.getByRole('dialog', { name: /^Rename/ });
  await expect(dialog).toContainText('Public addresses with the current name stop working at once.');
  await dialog.getByLabel('Name (required)').fill(taken.name);
  await dialog.getByRole('button', { name: 'Rename Repository' }).click();
  await expect(dialog.getByRole('alert')).toContainText(`There is a repository named ${taken.name} already.`);
  await dialog.getByLabel('Name (required)').fill(next);
  await dialog.getByRole('button', { name: 'Rename Repository' }).click();
  await expect(dialog).toBeHidden();
  const toast = page.getByText(`The repository is now called “${next}”`);
  // The pointer keeps it.
  await toast.hover();
  await expect(page.getByRole('button', { name: next, exact: true })).toBeVisible();
  expect([await statusOf(repository.name), await statusOf(next)]).toEqual([404, 200]);
  await undoNewest(page, `The repository is now called “${next}”`);
  await expect(page.getByRole('button', { name: repository.name, exact: true })).toBeVisible();
  await expect.poll(() => statusOf(repository.name)).toBe(200);
});

test('"Confirmation prompts precede deleting a repository, changing visibility": cancel aborts, the typed name deletes', async ({
  signedIn: page,
  operator,
}) => {
  const repository = await newRepository(operator);
  await publish(operator, repository, { package: 'gate', files: { 'gate.img': 'bytes' } });
  await page.goto(`${repository.path}/settings`);
  const prompt = page.getByRole('alertdialog');
  await page.getByRole('button', { name: 'Make Public' }).click();
  await cancelDialog(prompt);
  await expect(page.getByRole('button', { name: 'Make Public' })).toBeVisible();
  await page.getByRole('button', { name: 'Delete Repository' }).click();
  await expect(prompt).toContainText('1 package and 1 asset are deleted with it.');
  await expect(prompt.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await cancelDialog(prompt);
  await page.getByRole('button', { name: 'Delete Repository' }).click();
  await prompt.getByRole('textbox').fill(repository.name);
  await prompt.getByRole('button', { name: 'Delete Repository' }).click();
  await expect(page).toHaveURL('/repositories');
  await expect(page.getByRole('link', { name: repository.name, exact: true })).toBeHidden();
});

test('"repositories: linked repositories table with ID, Name, Actions, plus a dropdown (default none) and a Link Repository button."', async ({
  page,
  hub,
  operator,
}) => {
  const user = await newUser(operator);
  const own = await signInByApi(hub, user);
  const [project, repository] = [await newProject(own), await newRepository(own)];
  await openSession(page, hub, user);
  await page.goto(`/projects/${project.projectId}/repositories`);
  await expect(page.getByRole('heading', { name: 'No linked repositories' })).toBeVisible();
  const choice = page.getByRole('combobox', { name: 'Repository' });
  await expect(choice).toHaveValue('');
  await expect(choice).toHaveAttribute('placeholder', 'None');
  const link = page.getByRole('button', { name: 'Link Repository' });
  await expect(link).toBeDisabled();
  await choice.fill(repository.name.slice(0, 6));
  await page.getByRole('option', { name: repository.name }).click();
  await expect(page.getByText(`to download from “${repository.name}”.`)).toBeVisible();
  await link.click();
  const linked = table(page, 'Repositories');
  await expect(linked.getByRole('link', { name: repository.name })).toBeVisible();
  const columns = await headers(linked);
  expect([...columns.slice(0, 2), columns.at(-1)]).toEqual(['ID', 'Name', 'Actions']);
  // The row shows before the hub has linked it.
  const linkedIds = async () => {
    const { projectId } = project;
    const { repositories } = await own.invoke('projects_QueryProjectRepositories', { projectId });
    return repositories.map(({ repositoryId }) => repositoryId);
  };
  await expect.poll(linkedIds).toEqual([repository.repositoryId]);
  await linked.getByRole('button', { name: `Unlink ${repository.name}` }).click();
  await expect(linked).toBeHidden();
  await undoNewest(page, `“${repository.name}” is no longer linked`);
  await expect(linked.getByRole('link', { name: repository.name })).toBeVisible();
  await expect.poll(linkedIds).toEqual([repository.repositoryId]);
});
