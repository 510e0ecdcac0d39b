import { expect, test } from '../fixtures/test.ts';

const colourOfBody = `[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]`;
const turnAround = `document.addEventListener('readystatechange', () => { document.documentElement.dir = 'rtl'; });`;
const widthBeyondWindow = `document.documentElement.scrollWidth - window.innerWidth`;
const longestMotionMs = `Math.max(0, ...[...document.querySelectorAll('*')].flatMap((element) => {
  const { animationDuration, transitionDuration } = getComputedStyle(element);
  return (animationDuration + ',' + transitionDuration)
    .split(',')
    .map((text) => Number.parseFloat(text) * (text.trim().endsWith('ms') ? 1 : 1000));
}))`;

test('the palette opens on Ctrl K, its lines are real links, and the page that is gone to gets the focus', async ({
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

test('Skip to content is the first stop and leads past the header', async ({ signedIn: page }) => {
  await page.goto('/projects');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
});

test('F6 reaches the notifications', async ({ signedIn: page }) => {
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
  test.use({ provoked: [/^Failed to load resource: net::ERR_INTERNET_DISCONNECTED/] });

  test('a banner says so, nothing can be changed, no page is blank, and all is read again afterwards', async ({
    signedIn: page,
    project,
    context,
  }) => {
    await page.goto(`/projects/${project.projectId}/settings`);
    const remove = page.getByRole('button', { name: 'Delete Project' });
    await expect(remove).toBeVisible();
    await context.setOffline(true);
    await expect(page.getByText(/The hub cannot be reached\. What you see may be old/)).toBeVisible();
    await remove.click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByRole('textbox').fill(project.name);
    const verb = dialog.getByRole('button', { name: /Delete/ });
    await expect(verb).toHaveAttribute('aria-disabled', 'true');
    await expect(verb).toHaveAccessibleDescription('The hub cannot be reached right now.');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('link', { name: 'Log' }).click();
    await expect(page.getByRole('navigation', { name: 'Project' })).toBeVisible();
    await context.setOffline(false);
    await expect(page.getByText(/What you see may be old/)).toBeHidden({ timeout: 20_000 });
    await expect(page.getByRole('heading', { level: 1, name: 'Log' })).toBeVisible();
  });
});

test('a printed page is black on white with whole ids, the address and the time, and without the console around it', async ({
  signedIn: page,
  project,
  connected,
}) => {
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await page.goto(`/projects/${project.projectId}/devices/${connected.deviceId}`);
  await expect(page.getByText(connected.deviceId).filter({ visible: true }).first()).toBeVisible();
  await expect(page.getByRole('banner')).toBeHidden();
  await expect(page.getByRole('navigation', { name: 'Project' })).toBeHidden();
  await expect(page.getByText(page.url())).toBeVisible();
  await expect(page.getByText(/^printed /)).toBeVisible();
  const colours = await page.evaluate(colourOfBody);
  expect(colours).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
});

test('from right to left everything is mirrored but ids, and nothing sticks out', async ({
  signedIn: page,
  project,
  connected: _connected,
}) => {
  await page.addInitScript({ content: turnAround });
  await page.goto(`/projects/${project.projectId}/devices`);
  const id = page.getByRole('button', { name: /Copy device ID/ }).first();
  await expect(id).toBeVisible();
  await expect(id.locator('.font-mono').first()).toHaveCSS('direction', 'ltr');
  const sidebar = await page.getByRole('navigation', { name: 'Project' }).boundingBox();
  const table = await page.getByRole('table').boundingBox();
  expect(sidebar?.x).toBeGreaterThan(table?.x ?? 0);
  expect(await page.evaluate(widthBeyondWindow)).toBeLessThanOrEqual(0);
});

test('with reduced motion nothing moves for longer than a blink', async ({ signedIn: page }) => {
  await page.goto('/projects');
  await page.getByRole('button', { name: 'Create Project' }).first().click();
  await expect(page.getByRole('dialog')).toBeVisible();
  const longestMs = await page.evaluate(longestMotionMs);
  expect(longestMs).toBeLessThan(1);
});
