import { hostname } from 'node:os';
import type { Locator, Page } from '@playwright/test';
import { newProject, newToken, newUser, signInByApi, uniqueName } from '../fixtures/operator.ts';
import { openSession, expect, refusedWith, test } from '../fixtures/test.ts';

// These tests never use a pointer.

/** A script that returns a sentence if the focused element has no visible focus indicator, otherwise an empty string. */
const focusProblem = `(() => {
  const element = document.activeElement;
  if (element === null || element === document.body) return 'the focus is lost';
  // Headings and the main element are focused only by scripts and are no tab stops.
  if (element.tabIndex < 0 && !element.hasAttribute('data-highlighted')) return '';
  const hasOutline = (candidate) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(candidate);
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
  };
  const holder = element.closest('article, [role=menuitem], [role=option], [role=combobox]');
  const isExempt = element.matches('[data-highlighted], [role=combobox], [role=dialog], [role=alertdialog]');
  const box = element.getBoundingClientRect();
  const name = element.getAttribute('aria-label') ?? element.textContent.trim().slice(0, 40);
  if (box.width === 0 || box.bottom < 0 || box.top > innerHeight) return name + ' has the focus out of sight';
  return hasOutline(element) || isExempt || (holder !== null && hasOutline(holder)) ? '' : name + ' shows no focus';
})()`;

const isOnPage = 'document.activeElement !== document.body';

/** Presses Tab until `target` has the focus, and checks that the focus is visible at every stop; it may leave the page once. */
async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await expect(target).toBeVisible();
  let rounds = 0;
  while (rounds < 2) {
    if ((await target.and(page.locator(':focus')).count()) > 0) return;
    await page.keyboard.press(key);
    // In one evaluation, because a live change may take the focused element away between two.
    const problem = await page.evaluate<string | null>(`${isOnPage} ? ${focusProblem} : null`);
    if (problem === null) rounds += 1;
    else expect(problem).toBe('');
  }
  await expect(target, 'reached by Tab').toBeFocused();
}

/** Tabs to a control and presses a key on it. */
async function press(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

/** After a navigation the focus is at the heading, so that screen readers continue there. */
async function expectPage(page: Page, heading: string | RegExp): Promise<void> {
  await expect(page.getByRole('heading', { level: 1, name: heading })).toBeFocused();
}

const button = (page: Page | Locator, name: string | RegExp) => page.getByRole('button', { name });

test('by keyboard alone: signing in, creating a project, connecting the first device, and going back to the list', async ({
  page,
  hub,
  operator,
  devices,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(refusedWith(401));
  const user = await newUser(operator, 'Kit Keys');
  await page.goto('/login');
  await tabTo(page, page.getByLabel('Email (required)'));
  await page.keyboard.type(user.email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(user.password);
  await page.keyboard.press('Enter');
  await expectPage(page, 'Projects');

  const create = button(page, 'Create Project').first();
  await press(page, create);
  const dialog = page.getByRole('dialog', { name: 'Create Project' });
  const name = dialog.getByLabel('Name (required)');
  await expect(name).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(create).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(name).toBeFocused();
  await page.keyboard.type(uniqueName('By keys'));
  await page.keyboard.press('Enter');
  await expectPage(page, 'Devices');

  const first = page.getByRole('region', { name: 'Connect your first device' });
  await press(page, button(first, 'Make token'));
  const command = first.getByRole('group', { name: 'agent command' });
  await expect(command).toBeVisible();
  await expect.poll(() => page.evaluate<string>(focusProblem)).toBe('');
  await press(page, button(first, 'Copy agent command').first(), 'Space');
  await expect(page.getByRole('status').filter({ hasText: 'Copied agent command' })).toBeAttached();
  const own = await signInByApi(hub, user);
  const projectId = new URL(page.url()).pathname.split('/')[2] as `p_${string}`;
  const device = await devices.make(hub, (await newToken(own, { projectId, name: 'by-keys' })).token);
  device.run();
  const view = first.getByRole('link', { name: 'View device' });
  await expect(view).toBeVisible();
  await press(page, view);
  await expectPage(page, hostname());
  await press(page, page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link'));
  await expectPage(page, 'Devices');
});

test('by keyboard alone: a token is created, its secret is confirmed, and deleting it asks first', async ({
  signedIn: page,
  project,
}) => {
  await page.goto(`/projects/${project.projectId}/tokens`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tokens');
  await press(page, button(page, 'New Token').first());
  await expect(page.getByRole('dialog').getByLabel('Name (required)')).toBeFocused();
  await page.keyboard.type('gate');
  await page.keyboard.press('Enter');
  const stored = button(page, 'I stored it');
  await expect(stored).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(stored).toBeVisible();
  await press(page, stored);
  await expect(stored).toBeHidden();
  await expect.poll(() => page.evaluate<string>(focusProblem)).toBe('');

  const accept = page.getByRole('switch', { name: /gate/ });
  await press(page, accept, 'Space');
  await expect(accept).not.toBeChecked();
  const remove = button(page.getByRole('table'), /Delete/);
  await press(page, remove);
  const confirmation = page.getByRole('alertdialog');
  await expect(button(confirmation, 'Cancel')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(confirmation).toBeHidden();
  await expect(remove).toBeFocused();
  await page.keyboard.press('Enter');
  await press(page, button(confirmation, /Delete/));
  await expect(page.getByText('No deployment tokens')).toBeVisible();
  await expect.poll(() => page.evaluate<string>(focusProblem)).toBe('');
});

test('by keyboard alone: a device is opened from the list, renamed, accepted, revoked, and deleted by typing its name', async ({
  signedIn: page,
  hub,
  operator,
  project,
  devices,
}) => {
  const { token } = await newToken(operator, project, { autoAccept: false });
  const device = await devices.make(hub, token);
  const agent = device.run();
  const list = () => operator.invoke('projects_QueryProjectDevices', { projectId: project.projectId });
  await expect.poll(async () => (await list()).devices.length).toBe(1);
  const enrolled = (await list()).devices[0]?.deviceId;
  await page.goto(`/projects/${project.projectId}/devices`);
  await page.getByRole('table', { name: 'Devices' }).waitFor();
  await page.keyboard.press('/');
  await expect(page.getByRole('combobox', { name: 'Filter by name or ID' })).toBeFocused();
  await page.keyboard.type('unnamed');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.keyboard.press('j');
  await expect(page.getByRole('row').nth(1)).toBeFocused();
  await page.keyboard.press('Enter');
  await expectPage(page, 'unnamed');

  const certificates = page.getByRole('table', { name: 'Certificates' });
  const accept = button(certificates, 'Accept');
  const name = page.getByRole('textbox', { name: 'Name' });
  await tabTo(page, name);
  await page.keyboard.type('crane-by-keys');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('crane-by-keys');
  await expect(name).toBeFocused();
  await expect(name).toHaveValue('');

  await tabTo(page, accept);
  await page.keyboard.press('Enter');
  const confirmation = page.getByRole('alertdialog');
  await expect(button(confirmation, 'Cancel')).toBeFocused();
  await press(page, button(confirmation, /^Accept/));
  await expect(certificates.getByText('Active')).toBeVisible();
  await expect(confirmation).toBeHidden();
  await expect.poll(() => page.evaluate<string>(focusProblem)).toBe('');
  await agent.connected();
  await press(page, button(certificates, 'Revoke'));
  await press(page, button(confirmation, /^Revoke/));
  await expect(certificates.getByText('Revoked')).toBeVisible();
  await expect(confirmation).toBeHidden();
  await expect.poll(() => page.evaluate<string>(focusProblem)).toBe('');

  await press(page, button(page, 'Delete Device'));
  await expect(button(confirmation, 'Cancel')).toBeFocused();
  await tabTo(page, confirmation.getByRole('textbox'));
  await page.keyboard.type('crane-by-keys');
  await page.keyboard.press('Enter');
  await expectPage(page, 'Devices');
  // Its agent still runs, and may have enrolled again as another device.
  expect((await list()).devices.map(({ deviceId }) => deviceId)).not.toContain(enrolled);
});

test('by keyboard alone: the palette, the account menu, the settings, deleting a project by typing its name, and signing out', async ({
  page,
  hub,
  operator,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(refusedWith(401));
  const user = await newUser(operator, 'Kit Keys');
  await openSession(page, hub, user);
  const own = await signInByApi(hub, user);
  const { name } = await newProject(own, uniqueName('Short lived'));
  await page.goto('/projects');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Projects');
  const account = button(page.getByRole('banner'), 'Kit Keys');
  await press(page, account);
  const menu = page.getByRole('menu');
  await expect(menu.getByRole('menuitem').first()).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
  await expect(account).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.type('Set');
  await expect(menu.getByRole('menuitem', { name: 'Settings' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expectPage(page, 'Profile');

  await press(page, button(page.getByRole('main'), 'Dark'), 'Space');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await press(page, page.getByRole('switch', { name: /shortcuts/i }), 'Space');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.keyboard.press('Space');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('switch', { name: /shortcuts/i })).toBeFocused();

  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: 'Go to anything' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('switch', { name: /shortcuts/i })).toBeFocused();
  await page.keyboard.press('Control+k');
  await page.keyboard.type(name);
  await expect(page.getByRole('option', { name: new RegExp(name) })).toBeVisible();
  await page.keyboard.press('Enter');
  await expectPage(page, 'Devices');
  await press(
    page,
    page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'Settings' }),
  );
  await expectPage(page, 'Settings');
  await press(page, button(page, 'Delete Project'));
  await tabTo(page, page.getByRole('alertdialog').getByRole('textbox'));
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
  await expectPage(page, 'Projects');
  await expect(page.getByText('Create your first project')).toBeVisible();

  await tabTo(page, account, 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(menu.getByRole('menuitem').first()).toBeFocused();
  await page.keyboard.press('End');
  await expect(menu.getByRole('menuitem', { name: 'Log Out' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/login/);
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome Back' })).toBeVisible();
  await tabTo(page, page.getByLabel('Email (required)'));
});
