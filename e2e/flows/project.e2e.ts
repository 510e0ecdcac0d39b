import type { Page } from '@playwright/test';
import { cancelDialog } from '../fixtures/cancel-dialog.ts';
import { newProject, newToken, newUser, signInByApi, uniqueName } from '../fixtures/operator.ts';
import { openSession, expect, test } from '../fixtures/test.ts';

const log = (page: Page) => page.getByRole('table', { name: 'Log' });

test('"Create your first project" is shown to users without projects', async ({ page, hub, operator }) => {
  const user = await newUser(operator);
  await openSession(page, hub, user);
  await page.goto('/');
  await expect(page).toHaveURL('/projects');
  await expect(page.getByRole('heading', { name: 'Create your first project' })).toBeVisible();
  await page.getByRole('button', { name: 'Create Project' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create Project' });
  const submit = dialog.getByRole('button', { name: 'Create Project' });
  await expect(submit).toBeDisabled();
  const name = dialog.getByLabel('Name (required)');
  await name.fill('a');
  await name.fill('  ');
  await name.blur();
  await expect(dialog.getByText('Name must not be empty.')).toBeVisible();
  await cancelDialog(dialog);
  await page.getByRole('button', { name: 'Create Project' }).click();
  await expect(name).toHaveValue('');
  await name.fill('Harbour');
  await submit.click();
  await expect(page).toHaveURL(/\/projects\/p_\w{22}\/devices$/);
  await expect(page.getByRole('heading', { name: 'Connect your first device' })).toBeVisible();
  await page.getByRole('link', { name: 'Corral, go to projects' }).click();
  await expect(page.getByRole('link', { name: 'Harbour' })).toBeVisible();
  await expect(page.getByText('No devices yet')).toBeVisible();
});

test('a card shows how many devices a project has, and updates live', async ({
  page,
  hub,
  operator,
  devices,
}) => {
  const user = await newUser(operator);
  const own = await signInByApi(hub, user);
  const project = await newProject(own);
  const { token } = await own.invoke('projects_CreateDeploymentToken', {
    projectId: project.projectId,
    name: 'fleet',
    flags: { autoAccept: true },
  });
  await openSession(page, hub, user);
  await page.goto('/projects');
  await page.getByText('No devices yet').waitFor();
  const agent = (await devices.make(hub, token)).run();
  await agent.connected();
  await expect(page.getByText('1 device, connected')).toBeVisible();
  await agent.stop();
  await expect(page.getByText('0 of 1 device connected')).toBeVisible();
});

test('"sidebar layout with project name and id; index redirects to devices"', async ({
  signedIn: page,
  project,
}) => {
  await page.goto(`/projects/${project.projectId}`);
  await expect(page).toHaveURL(`/projects/${project.projectId}/devices`);
  const sidebar = page.getByRole('navigation', { name: 'Project' });
  for (const name of ['Tokens', 'Log', 'Settings', 'Devices']) {
    await sidebar.getByRole('link', { name: new RegExp(`^${name}`) }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
  }
  await expect(page.getByRole('button', { name: project.name })).toBeVisible();
  await expect(page.getByRole('button', { name: /^p_.*, copy project ID/ })).toHaveAttribute(
    'title',
    project.projectId,
  );
});

test('"Data shown as key=value badges sorted by key, omitting projectId": the log shows events and their actors', async ({
  signedIn: page,
  operator,
  project,
  connected,
}) => {
  const { deviceId, device } = connected;
  await operator.invoke('devices_SetDeviceName', { deviceId, name: 'Barn scale' });
  await device.call('device', 'id');
  await page.goto(`/projects/${project.projectId}/log`);
  const created = log(page).getByRole('row').filter({ hasText: 'projects_Created' });
  await expect(created).toContainText(`name=${project.name}`);
  await expect(created).toContainText('User');
  for (const density of ['compact', 'touch', 'default']) {
    const heights = await page.evaluate<number[]>(`(() => {
      document.documentElement.dataset.density = '${density}';
      return [...document.querySelectorAll('main tbody tr')].map((row) => Math.round(row.getBoundingClientRect().height));
    })()`);
    expect(new Set(heights).size, `all entries are equally high, ${density}`).toBe(1);
  }
  await created.click({ position: { x: 2, y: 2 } });
  const drawer = page.getByRole('dialog', { name: /created the project/ });
  await expect(drawer.getByRole('button', { name: /, copy action ID/ })).toBeVisible();
  await drawer.getByRole('button', { name: 'Close' }).click();
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(created.getByRole('button', { name: /, copy action ID/ })).toBeVisible();
  await expect(log(page)).not.toContainText('projectId=');
  const renamed = log(page).getByRole('row').filter({ hasText: 'name=Barn scale' });
  expect(await renamed.getByText(/^\w+=$/).allInnerTexts()).toEqual(['deviceId=', 'name=']);
});

test('the log announces new entries, filters by type and time in the URL, and opens an entry', async ({
  signedIn: page,
  operator,
  project,
}) => {
  await page.goto(`/projects/${project.projectId}/log`);
  await log(page).getByText('projects_Created').waitFor();
  const { tokenId } = await newToken(operator, project);
  await page.getByRole('button', { name: '1 new entry' }).click();
  const row = log(page).getByRole('row').filter({ hasText: tokenId });
  await expect(row).toBeVisible();
  await log(page).getByTitle('Only projects_Created').click();
  await expect(page).toHaveURL(/type=projects_Created/);
  await expect(row).toBeHidden();
  await page.getByRole('button', { name: /^Remove the filter/ }).click();
  await expect(row).toBeVisible();
  await page.getByRole('group', { name: 'Time' }).getByText('24 h').click();
  await expect(page).toHaveURL(/range=24h/);
  await row.getByText('tokenId=').click();
  await expect(page).toHaveURL(/entry=audit_ev_/);
  await expect(page.getByRole('dialog')).toContainText(`"${tokenId}"`);
});

test('"Confirmation prompts precede … deleting a project": "cancel aborts", the typed name deletes and disconnects the devices', async ({
  signedIn: page,
  operator,
  project,
  connected,
}) => {
  await page.goto(`/projects/${project.projectId}/settings`);
  await expect(page.getByRole('heading', { name: 'Danger Zone' })).toBeVisible();
  await page.getByRole('button', { name: 'Delete Project' }).click();
  const dialog = page.getByRole('alertdialog', { name: `Delete project “${project.name}”` });
  await expect(dialog).toContainText('1 device, 1 deployment token');
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await cancelDialog(dialog);
  await page.getByRole('button', { name: 'Delete Project' }).click();
  await dialog.getByRole('textbox').fill(uniqueName('another'));
  await dialog.getByRole('button', { name: 'Delete Project' }).press('Enter');
  await expect(dialog).toBeVisible();
  await dialog.getByRole('textbox').fill(project.name);
  await dialog.getByRole('button', { name: 'Delete Project' }).click();
  await expect(page).toHaveURL('/projects');
  await expect(page.getByRole('link', { name: project.name })).toBeHidden();
  await connected.agent.waitForLine(/the hub ended the connection/);
  const { projects } = await operator.invoke('projects_QueryProjects', {});
  expect(projects.map(({ projectId }) => projectId)).not.toContain(project.projectId);
});
