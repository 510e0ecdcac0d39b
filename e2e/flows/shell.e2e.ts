import { pathOf } from '@corral/console';
import { cancelDialog } from '../fixtures/cancel-dialog.ts';
import { builtSections } from '../fixtures/sections.ts';
import { newRepository, publish } from '../fixtures/repository.ts';
import { newProject, newUser } from '../fixtures/operator.ts';
import { expect, test, useSession } from '../fixtures/test.ts';

test('the palette opens on Ctrl K, its items are links, and the opened page gets the focus', async ({
  signedIn: page,
  project,
  context,
}) => {
  await page.goto('/projects');
  await expect(page.getByRole('heading', { level: 1, name: 'Projects' })).toBeVisible();
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Go to anything' });
  await expect(field).toBeFocused();
  await field.fill(project.name);
  const line = page.getByRole('option', { name: new RegExp(project.name) });
  const opened = context.waitForEvent('page');
  await line.click({ button: 'middle' });
  const other = await opened;
  await other.waitForURL(`**/projects/${project.projectId}/devices`);
  await other.close();
  await expect(field).toBeVisible();
  await field.press('Enter');
  await page.waitForURL(`**/projects/${project.projectId}/devices`);
  await expect(field).toBeHidden();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});

test('Skip to content is the first tab stop and moves the focus past the header', async ({
  signedIn: page,
}) => {
  await page.goto('/projects');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
});

test('a rail of icons shows names under the pointer and on keyboard focus; a wide sidebar needs none', async ({
  signedIn: page,
  project,
  connected: _connected,
}) => {
  await page.setViewportSize({ width: 820, height: 900 });
  await page.goto(`/projects/${project.projectId}/devices`);
  const sidebar = page.getByRole('navigation', { name: 'Project' });
  const tooltip = page.getByRole('tooltip');
  // A pointer that rests there while the page renders anew opens nothing until it moves.
  await expect(async () => {
    await page.mouse.move(600, 700);
    await sidebar.getByRole('link', { name: 'Members' }).hover();
    await expect(tooltip).toHaveText(/^Members/, { timeout: 3_000 });
  }).toPass();
  await expect(tooltip).toBeInViewport({ ratio: 1 });
  await sidebar.getByRole('button', { name: project.name }).hover();
  await expect(tooltip).toHaveText(project.name);
  await page.mouse.move(600, 700);
  await expect(tooltip).toBeHidden();
  await sidebar.getByRole('button', { name: project.name }).focus();
  await page.keyboard.press('Tab');
  await expect(sidebar.getByRole('link', { name: /^Overview/ })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(sidebar.getByRole('link', { name: /^Devices/ })).toBeFocused();
  await expect(tooltip).toHaveText(/^Devices\s*1$/);
  await page.setViewportSize({ width: 1280, height: 900 });
  await expect(tooltip).toBeHidden();
  await sidebar.getByRole('link', { name: 'Members' }).hover();
  await page.keyboard.press('Tab');
  await expect(tooltip).toBeHidden();
});

test('F6 moves the focus to the notifications', async ({ signedIn: page }) => {
  await page.goto('/projects');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('copy link');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Copied link to this view')).toBeVisible();
  await page.keyboard.press('F6');
  await expect(page.getByRole('region', { name: /Notifications/ })).toBeFocused();
});

test.describe('while the hub cannot be reached', () => {
  test.use({
    expectedConsoleErrors: [/^Failed to load resource: net::ERR_INTERNET_DISCONNECTED/],
    preloadsPages: true,
  });

  test('a banner says so, changes are disabled, no page is blank, and data is refetched afterwards', async ({
    signedIn: page,
    project,
    context,
  }) => {
    // The code of the log comes while the page is idle, though nobody opens the log yet.
    const preloaded = page.waitForResponse(/\/assets\/log-[^/]+\.js$/);
    await page.goto(`/projects/${project.projectId}/settings`);
    const remove = page.getByRole('button', { name: 'Delete Project' });
    await expect(remove).toBeVisible();
    await preloaded;
    await remove.click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByRole('textbox').fill(project.name);
    const verb = dialog.getByRole('button', { name: /Delete/ });
    await context.setOffline(true);
    await expect(page.getByText(/The hub cannot be reached\. What you see may be old/)).toBeVisible();
    await expect(verb).toHaveAttribute('aria-disabled', 'true');
    await expect(verb).toHaveAccessibleDescription('The hub cannot be reached right now.');
    await cancelDialog(dialog);
    await expect(remove).toHaveAttribute('aria-disabled', 'true');
    await expect(remove).toHaveAccessibleDescription('The hub cannot be reached right now.');
    await page.getByRole('link', { name: 'Log' }).click();
    await expect(page.getByRole('navigation', { name: 'Project' })).toBeVisible();
    await context.setOffline(false);
    await expect(page.getByText(/What you see may be old/)).toBeHidden();
    await expect(page.getByRole('heading', { level: 1, name: 'Log' })).toBeVisible();
  });

  test('members and users can be read but not changed, and show who came meanwhile once the hub is back', async ({
    page,
    hub,
    operator,
    context,
  }) => {
    const { projectId } = await newProject(operator);
    const [before, meanwhile] = [await newUser(operator, 'Before'), await newUser(operator, 'Meanwhile')];
    const add = ({ userId }: typeof before) =>
      operator.invoke('projects_AddProjectMember', { projectId, userId });
    await add(before);
    await useSession(page, hub, operator.cookie);
    await page.goto('/admin/users');
    await expect(page.getByText(before.email).first()).toBeVisible();
    await page.goto(`/projects/${projectId}/members`);
    await page.getByRole('button', { name: 'Invite User' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('kim@example.org');
    await context.setOffline(true);
    await expect(page.getByText(/The hub cannot be reached\. What you see may be old/)).toBeVisible();
    const invite = page.getByRole('dialog').getByRole('button', { name: 'Invite' });
    await expect(invite).toHaveAccessibleDescription('The hub cannot be reached right now.');
    await page.keyboard.press('Escape');
    await expect(page.getByText(before.email)).toBeVisible();
    await add(meanwhile);
    await expect(page.getByText(meanwhile.email)).toBeHidden();
    await context.setOffline(false);
    await expect(page.getByText(meanwhile.email)).toBeVisible();
  });

  test('a repository can be read but not changed, and shows what happened meanwhile once the hub is back', async ({
    signedIn: page,
    operator,
    context,
  }) => {
    const repository = await newRepository(operator);
    await publish(operator, repository, { package: 'before' });
    await page.goto(`${repository.path}/packages`);
    await expect(page.getByRole('link', { name: 'View before' })).toBeVisible();
    const sidebar = page.getByRole('navigation', { name: 'Repository' });
    await sidebar.getByRole('link', { name: 'Settings' }).click();
    const writes = ['Rename Repository', 'Make Public', 'Delete Repository'];
    for (const name of writes) await expect(page.getByRole('button', { name })).toBeVisible();
    await context.setOffline(true);
    await expect(page.getByText(/The hub cannot be reached\. What you see may be old/)).toBeVisible();
    for (const name of writes.slice(0, 2)) {
      const button = page.getByRole('button', { name });
      await expect(button).toHaveAttribute('aria-disabled', 'true');
      await expect(button).toHaveAccessibleDescription('The hub cannot be reached right now.');
    }
    await sidebar.getByRole('link', { name: /^Packages/ }).click();
    await expect(page.getByRole('link', { name: 'View before' })).toBeVisible();
    await publish(operator, repository, { package: 'meanwhile' });
    await expect(page.getByRole('link', { name: 'View meanwhile' })).toBeHidden();
    await context.setOffline(false);
    await expect(page.getByRole('link', { name: 'View meanwhile' })).toBeVisible();
    await expect(page.getByText(/What you see may be old/)).toBeHidden();
  });
});

test('every section is reached by its link, which is marked as current; its name and that of its scope title the tab', async ({
  signedIn: page,
  operator,
  project,
}) => {
  const repository = await newRepository(operator);
  const ids = { projectId: project.projectId, repositoryId: repository.repositoryId };
  // A page of the same scope, whose navigation has the link.
  const starts: Readonly<Record<string, string>> = {
    project: `/projects/${project.projectId}`,
    repository: repository.path,
    admin: '/admin',
  };
  // What the titles of the pages of a scope name.
  const names: Readonly<Record<string, string>> = {
    project: `${project.name} · `,
    repository: `${repository.name} · `,
    admin: 'Administration · ',
  };
  let scope: string | undefined;
  for (const section of builtSections.filter(({ isUnlisted }) => isUnlisted !== true)) {
    const label = section.label();
    const path = pathOf(section, ids);
    // The page of the section before has the navigation of its scope.
    if (section.scope !== scope) await page.goto(starts[section.scope] ?? '/settings/profile');
    ({ scope } = section);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const link = page.getByRole('link', { name: label }).and(page.locator(`[href="${path}"]`));
    if (section.scope === 'user') {
      await page.getByRole('button', { name: 'Administrator' }).click();
      await page.getByRole('menuitem', { name: label }).click();
    } else await link.first().click();
    await expect(page).toHaveURL(path);
    await expect(page.getByRole('heading', { level: 1, name: label, exact: true })).toBeVisible();
    await expect(page).toHaveTitle(`${label} · ${names[section.scope] ?? ''}Corral`);
    if (!['help', 'user'].includes(section.scope))
      await expect(link.first()).toHaveAttribute('aria-current', 'page');
  }
});

test('the title of the tab follows a rename, on a phone too', async ({
  signedIn: page,
  operator,
  connected,
}) => {
  await page.setViewportSize({ width: 390, height: 800 });
  const { path, deviceId } = connected;
  await operator.invoke('devices_SetDeviceName', { deviceId, name: 'North gate' });
  await page.goto(path);
  await expect(page).toHaveTitle(/^North gate · .+ · Corral$/);
  await operator.invoke('devices_SetDeviceName', { deviceId, name: 'South gate' });
  await expect(page).toHaveTitle(/^South gate · .+ · Corral$/);
});

test.describe('on a phone', () => {
  test.use({ hasTouch: true, viewport: { width: 320, height: 640 } });

  test('Log Out is in view in the menu of an administrator and in the drawer', async ({ signedIn: page }) => {
    await page.goto('/projects');
    await page.getByRole('button', { name: 'Administrator' }).click();
    await expect(page.getByRole('menuitem', { name: 'Log Out' })).toBeInViewport({ ratio: 1 });
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Open navigation' }).click();
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Log Out' })).toBeInViewport({
      ratio: 1,
    });
  });
});

test('the palette opens right after Escape and above a form, which keeps what was typed', async ({
  signedIn: page,
  project,
}) => {
  await page.goto(`/projects/${project.projectId}/tokens`);
  await page.getByRole('button', { name: 'New Token' }).first().click();
  const form = page.getByRole('dialog', { name: 'New Token' });
  const name = form.getByRole('textbox', { name: /^Name/u });
  await name.fill('Gate keepers');
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('combobox', { name: 'Go to anything' });
  await expect(palette).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(palette).toBeHidden();
  await expect(name).toHaveValue('Gate keepers');
  await expect(name).toBeFocused();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await expect(palette).toBeFocused();
  await expect(form).toBeHidden();
});

test('an item of a menu that is disabled is dimmed, but not the reason', async ({ page }) => {
  await page.goto('/design-system');
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  const reason = page.getByText('The device is not connected');
  const item = page.getByRole('menuitem').filter({ has: reason });
  await expect(item.locator('span:has(+ span)').last()).toHaveCSS('opacity', '0.5');
  for (const one of [item, reason]) await expect(one).toHaveCSS('opacity', '1');
});
