import type { Page } from '@playwright/test';
import { newProject, newUser, signInByApi, type Operator } from '../fixtures/operator.ts';
import { newRepository, publish } from '../fixtures/repository.ts';
import { expect, openSession, test } from '../fixtures/test.ts';

/** Two versions of a package in a repository that a project is linked to; `stable` points at the first. */
async function twoVersions(operator: Operator) {
  const repository = await newRepository(operator);
  const project = await newProject(operator);
  const { repositoryId } = repository;
  await operator.invoke('projects_AddProjectRepository', { projectId: project.projectId, repositoryId });
  const files = { 'gate.img': 'v1', 'notes.txt': 'same' };
  const older = { package: 'gate', name: '1.3', files, tags: [{ tag: 'stable' }] };
  const first = await publish(operator, repository, older);
  const newer = { package: 'gate', name: '1.4', files: { ...files, 'gate.img': 'v2.', 'new.txt': 'n' } };
  const second = await publish(operator, repository, newer);
  const tagsOf = async ({ versionId }: typeof first) =>
    (await operator.invoke('repositories_GetPackageVersionDetails', { versionId })).tags;
  return { repository, project, first, second, tagsOf };
}

async function ask(page: Page, tag: string, isLocked = false): Promise<void> {
  await page.getByRole('button', { name: 'Set Tag' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set a tag' });
  await dialog.getByLabel('Tag').fill(tag);
  if (isLocked) await dialog.getByLabel('Lock it').check();
  await dialog.getByRole('button', { name: 'Show What Changes' }).click();
}

test('a tag moves to the version of the page after a question with what changes, and back by Undo', async ({
  signedIn: page,
  operator,
}) => {
  const { project, first, second, tagsOf } = await twoVersions(operator);
  await page.goto(second.path);
  await ask(page, 'stable');
  const question = page.getByRole('alertdialog', { name: 'Move the tag “stable”' });
  for (const sentence of [
    'The tag stable moves from 1.3 to 1.4.',
    '2 files change; a device that has 1.3 fetches 4 bytes at most.',
    `Devices that may follow it: 0 devices in ${project.name}.`,
  ])
    await expect(question.getByText(sentence)).toBeVisible();
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect(await tagsOf(second)).toEqual([]);
  await ask(page, 'stable');
  await question.getByRole('button', { name: 'Move Tag' }).click();
  const tags = page.getByRole('main').getByText('stable', { exact: true });
  await expect(tags).toBeVisible();
  expect(await tagsOf(first)).toEqual([]);
  await expect(page.getByText('“stable” points at 1.4')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(tags).toBeHidden();
  expect(await tagsOf(first)).toMatchObject([{ tag: 'stable', locked: false }]);
});

test('a new tag is added, and removed by Undo; a wrong name is refused while it is typed', async ({
  signedIn: page,
  operator,
}) => {
  const { second, tagsOf } = await twoVersions(operator);
  await page.goto(second.path);
  await page.getByRole('button', { name: 'Set Tag' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set a tag' });
  await expect(dialog.getByRole('button', { name: 'Show What Changes' })).toBeDisabled();
  await dialog.getByLabel('Tag').fill('a/b');
  await expect(dialog.getByRole('button', { name: 'Show What Changes' })).toBeDisabled();
  await page.keyboard.press('Escape');
  await ask(page, 'beta');
  const question = page.getByRole('alertdialog', { name: 'Add the tag “beta”' });
  await expect(question.getByText('The tag beta is new and points at 1.4.')).toBeVisible();
  await question.getByRole('button', { name: 'Add Tag' }).click();
  await expect(page.getByRole('main').getByText('beta', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => tagsOf(second)).toEqual([]);
});

test('a lock says that it is for good, has no Undo, and the tag then stays', async ({
  signedIn: page,
  operator,
}) => {
  const { first, second, tagsOf } = await twoVersions(operator);
  await page.goto(first.path);
  await ask(page, 'stable', true);
  const question = page.getByRole('alertdialog', { name: 'Lock the tag “stable”' });
  await expect(question).toContainText(
    'The tag stable then stays on 1.3: nobody can move, remove or unlock it. This cannot be undone.',
  );
  await question.getByRole('button', { name: 'Lock Tag' }).click();
  await expect(page.getByText('“stable” is locked at 1.3')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0);
  expect(await tagsOf(first)).toMatchObject([{ tag: 'stable', locked: true }]);
  await page.goto(second.path);
  await ask(page, 'stable');
  await expect(page.getByRole('dialog', { name: 'Set a tag' }).getByRole('alert')).toContainText(
    'The tag stable is locked at 1.3 and can never be moved. Choose another name.',
  );
  await page.goto(`${second.packagePath}/tags?tag=stable`);
  await expect(page.getByRole('list', { name: 'Tag history' })).toContainText('locked');
  await expect(page.getByRole('button', { name: /^Point Back|^Lock…/ })).toHaveCount(0);
});

test('in the history a tag is pointed back, locked and added', async ({ signedIn: page, operator }) => {
  const { first, second, tagsOf } = await twoVersions(operator);
  await operator.invoke('repositories_TagPackageVersion', {
    versionId: second.versionId,
    tags: [{ tag: 'stable' }],
  });
  await page.goto(`${second.packagePath}/tags`);
  await page.getByRole('button', { name: 'Point Back to 1.3: stable' }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('The tag stable moves from 1.4 to 1.3.');
  await question.getByRole('button', { name: 'Move Tag' }).click();
  await expect(page.getByRole('button', { name: 'Point Back to 1.4: stable' })).toBeVisible();
  expect(await tagsOf(first)).toMatchObject([{ tag: 'stable' }]);

  await page.getByRole('button', { name: 'Set Tag' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set a tag' });
  await dialog.getByLabel('Tag').fill('beta');
  await dialog.getByRole('combobox', { name: 'Version' }).click();
  await page.getByRole('option', { name: '1.4' }).click();
  await dialog.getByRole('button', { name: 'Show What Changes' }).click();
  await question.getByRole('button', { name: 'Add Tag' }).click();
  await expect.poll(() => tagsOf(second)).toMatchObject([{ tag: 'beta', locked: false }]);

  await page.getByRole('button', { name: 'Lock… beta' }).click();
  await question.getByRole('button', { name: 'Lock Tag' }).click();
  await expect.poll(() => tagsOf(second)).toMatchObject([{ tag: 'beta', locked: true }]);
  await expect(page.getByRole('button', { name: 'Lock… beta' })).toHaveCount(0);
});

/** The rung of a version in the ladder of its package. */
const rung = (page: Page, versionId: string) => page.locator(`[data-rung="${versionId}"]`);

/** Presses a tag and takes it to the rung of a version, without dropping it there. */
async function dragTo(page: Page, tag: string, versionId: string): Promise<void> {
  await page.getByRole('button', { name: `${tag}, tag`, exact: true }).hover();
  await page.mouse.down();
  const target = await rung(page, versionId).boundingBox();
  if (target === null) throw new Error('The rung is not on the page.');
  await page.mouse.move(target.x + target.width / 2, target.y + target.height / 2, { steps: 5 });
}

test('a tag is dragged to another rung, asks what changes there, and goes back by Undo', async ({
  signedIn: page,
  operator,
}) => {
  const { first, second, tagsOf } = await twoVersions(operator);
  await page.goto(second.packagePath);
  await expect(rung(page, second.versionId)).toContainText('3 files, 8 bytes');
  await expect(
    rung(page, second.versionId).getByRole('link', {
      name: '2 files changed, 4 bytes new: compare with 1.3',
    }),
  ).toBeVisible();

  await dragTo(page, 'stable', second.versionId);
  await expect(rung(page, second.versionId).getByText('stable')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.mouse.up();
  await expect(rung(page, second.versionId).getByText('stable')).toBeHidden();
  await expect(page.getByRole('alertdialog')).toHaveCount(0);

  await dragTo(page, 'stable', second.versionId);
  await page.mouse.up();
  const question = page.getByRole('alertdialog', { name: 'Move the tag “stable”' });
  await expect(question).toContainText('2 files change; a device that has 1.3 fetches 4 bytes at most.');
  expect(await tagsOf(second)).toEqual([]);
  await question.getByRole('button', { name: 'Move Tag' }).click();
  const plate = (versionId: string) =>
    rung(page, versionId).getByRole('button', { name: 'stable, tag', exact: true });
  await expect(plate(second.versionId)).toBeVisible();
  expect(await tagsOf(first)).toEqual([]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(plate(first.versionId)).toBeVisible();

  await dragTo(page, 'stable', first.versionId);
  await page.mouse.up();
  await expect(page.getByRole('menu')).toHaveCount(0);
  await plate(first.versionId).click();
  await expect(page.getByRole('menu')).toBeVisible();
});

test('by the keyboard a tag is moved, locked and removed from its menu', async ({
  signedIn: page,
  operator,
}) => {
  const { first, second, tagsOf } = await twoVersions(operator);
  await page.goto(second.packagePath);
  const plate = page.getByRole('button', { name: 'stable, tag', exact: true });
  const question = page.getByRole('alertdialog');
  const choose = async (item: string) => {
    await plate.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: item }).press('Enter');
  };
  await choose('Move to…');
  const dialog = page.getByRole('dialog', { name: 'Move the tag “stable”' });
  await dialog.getByRole('button', { name: 'Show What Changes' }).press('Enter');
  await question.getByRole('button', { name: 'Move Tag' }).press('Enter');
  await expect(rung(page, second.versionId).getByText('stable')).toBeVisible();

  await choose('Remove…');
  await question.getByRole('button', { name: 'Remove Tag' }).press('Enter');
  await expect.poll(() => tagsOf(second)).toEqual([]);
  await expect(plate).toHaveCount(0);
  const removed = page.getByText('“stable” was removed').locator('xpath=ancestor::*[.//button][1]');
  await removed.getByRole('button', { name: 'Undo' }).click();
  await expect(plate).toBeVisible();

  await choose('Lock…');
  await question.getByRole('button', { name: 'Lock Tag' }).press('Enter');
  await page.getByRole('button', { name: 'stable (locked), tag' }).click();
  await expect(page.getByRole('menu')).toContainText('A locked tag can neither be moved nor removed.');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'stable (locked), tag' }).hover();
  await page.mouse.down();
  await rung(page, first.versionId).hover();
  await expect(rung(page, first.versionId).getByText('stable')).toHaveCount(0);
  await page.mouse.up();
});

test('a reader sees no way to change a tag', async ({ page, hub, operator }) => {
  const user = await newUser(operator);
  const { repository, second } = await twoVersions(operator);
  const { repositoryId } = repository;
  await operator.invoke('repositories_SetRepositoryVisibility', { repositoryId, visibility: 'Public' });
  await signInByApi(hub, user);
  await openSession(page, hub, user);
  await page.goto(second.path);
  await expect(page.getByRole('heading', { name: 'Version 1.4' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Set Tag' })).toHaveCount(0);
  await page.goto(second.packagePath);
  await expect(rung(page, second.versionId)).toBeVisible();
  await expect(page.getByRole('button', { name: /^Set Tag$|, tag$/ })).toHaveCount(0);
});
