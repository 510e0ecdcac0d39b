import type { Page } from '@playwright/test';
import { cancelDialog } from '../fixtures/cancel-dialog.ts';
import { newProject, newUser, signInByApi, type Operator } from '../fixtures/operator.ts';
import type { HubProcess } from '../fixtures/hub-process.ts';
import { newRepository, publish, uploadAsset } from '../fixtures/repository.ts';
import { expect, openSession, test } from '../fixtures/test.ts';

/** Signs in a member of a project to which a private repository of the operator is linked. */
async function openAsReader(page: Page, hub: HubProcess, operator: Operator) {
  const repository = await newRepository(operator);
  const { repositoryId } = repository;
  await publish(operator, repository, { package: 'press', name: '1.0.0', files: { 'press.img': 'one' } });
  const published = await publish(operator, repository, {
    package: 'press',
    name: '1.1.0',
    files: { 'press.img': 'two' },
    tags: [{ tag: 'latest' }],
  });
  const assetId = await uploadAsset(operator, repositoryId, 'How to press.');
  const { packageId } = published;
  await operator.invoke('repositories_AddPackageAsset', { packageId, assetId, filename: 'manual.txt' });
  const { projectId } = await newProject(operator);
  await operator.invoke('projects_AddProjectRepository', { projectId, repositoryId });
  const reader = await newUser(operator);
  const { userId } = await signInByApi(hub, reader);
  await operator.invoke('projects_AddProjectMember', { projectId, userId });
  await openSession(page, hub, reader);
  return { repository, published };
}

/** The requests of a page that the hub refused. */
function refusedOf(page: Page): string[] {
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() >= 400) refused.push(`${response.status()} ${new URL(response.url()).pathname}`);
  });
  return refused;
}

test('a reader by a link is offered nothing that the hub refuses, and no such call is made', async ({
  page,
  hub,
  operator,
}) => {
  const { repository, published } = await openAsReader(page, hub, operator);
  const refused = refusedOf(page);
  const { packagePath, path } = published;
  const headings = {
    '/repositories': 'Repositories',
    [`${repository.path}/packages`]: 'Packages',
    [`${repository.path}/assets`]: 'Assets',
    [`${repository.path}/settings`]: 'Settings',
    [packagePath]: 'press',
    [`${packagePath}/files`]: 'Package files',
    [`${packagePath}/tags`]: 'Tag history',
    [`${packagePath}/compare`]: 'Compare versions',
    [path]: 'Version 1.1.0',
  };
  for (const [address, name] of Object.entries(headings)) {
    await page.goto(address);
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    await page.waitForLoadState('networkidle');
  }
  await expect(page.getByRole('table', { name: 'Files' }).getByText('press.img')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Upload Files' })).toHaveCount(0);
  const navigation = page.getByRole('navigation', { name: 'Repository' });
  await expect(navigation.getByRole('link')).toHaveText([/^Packages/, /^Assets/, 'Settings']);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('packages');
  await expect(page.getByRole('option', { name: 'Packages' }).first()).toBeVisible();
  await page.getByRole('combobox').fill('members');
  await expect(page.getByRole('option', { name: 'Members' })).toHaveCount(0);
  for (const [section, name] of [
    ['members', 'Members'],
    ['log', 'Log'],
  ] as const) {
    await page.goto(`${repository.path}/${section}`);
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    await expect(page.getByText('Only members of the repository see this')).toBeVisible();
  }
  expect(refused).toEqual([]);
});

test('an owner of a private repository ends its link to a project that is none of theirs', async ({
  page,
  hub,
  operator,
}) => {
  const owner = await newUser(operator);
  const own = await signInByApi(hub, owner);
  const [repository, project] = [await newRepository(own), await newProject(operator)];
  const { repositoryId } = repository;
  const { projectId, name } = project;
  await operator.invoke('projects_AddProjectRepository', { projectId, repositoryId });
  const unlink = page
    .getByRole('table', { name: 'Linked projects' })
    .getByRole('button', { name: `Unlink project “${name}”` });
  await openSession(page, hub, owner);
  await page.goto(`${repository.path}/settings`);
  await unlink.click();
  const prompt = page.getByRole('alertdialog', { name: `Unlink project “${name}”` });
  await cancelDialog(prompt);
  await unlink.click();
  await prompt.getByRole('button', { name: 'Unlink' }).click();
  await expect(page.getByRole('heading', { name: 'No linked projects' })).toBeVisible();
  const { repositories } = await operator.invoke('projects_QueryProjectRepositories', { projectId });
  expect(repositories).toEqual([]);
});
