import { newProject } from '../fixtures/operator.ts';
import { expect, refusedWith, test } from '../fixtures/test.ts';

test('"Fields are labelled (required) or (optional).", "Login email: non-empty after trimming, else Please enter your email address.", "Password: non-empty after trimming, else Please enter your password.", "Has a Remember me checkbox, a Forgot your password link to /reset-password, and a Sign In button." and "No reset form exists."', async ({
  page,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(refusedWith(401));
  await page.goto('/login');
  const remember = page.getByLabel('Remember me (optional)');
  await expect(page.getByRole('checkbox', { name: 'Remember me' }).and(remember)).toBeVisible();
  const unlabelled = page.locator('label').filter({ hasNotText: /\((required|optional)\)$/ });
  await expect(unlabelled).toHaveCount(0);
  for (const [label, text] of [
    ['Email (required)', 'Please enter your email address.'],
    ['Password (required)', 'Please enter your password.'],
  ] as const) {
    const field = page.getByLabel(label);
    await field.fill('x');
    await field.fill('   ');
    await field.blur();
    await expect(page.getByText(text)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeDisabled();
  }
  await page.getByRole('link', { name: 'Forgot your password' }).click();
  await expect(page).toHaveURL('/reset-password');
  await expect(page.getByRole('heading', { level: 1, name: 'Under Construction' })).toBeVisible();
  await expect(page.getByRole('main').getByRole('textbox')).toHaveCount(0);
});

test('"/: redirects to /projects." and "/settings: redirects to /settings/profile."', async ({
  signedIn: page,
}) => {
  await page.goto('/');
  await expect(page).toHaveURL('/projects');
  await page.goto('/settings');
  await expect(page).toHaveURL('/settings/profile');
});

test('"Projects and Repositories links." and "A beta badge is shown in the header."', async ({
  signedIn: page,
}) => {
  await page.goto('/settings/profile');
  const header = page.getByRole('banner');
  await expect(header.getByText('beta', { exact: false }).first()).toBeVisible();
  await expect(header.getByRole('link', { name: 'Repositories' })).toHaveAttribute('href', '/repositories');
  await header.getByRole('link', { name: 'Projects', exact: true }).click();
  await expect(page).toHaveURL('/projects');
});

test('"with Invitations, Settings, Administration (admins only) and Log Out"', async ({ signedIn: page }) => {
  await page.goto('/settings/profile');
  await page.getByRole('banner').getByRole('button').last().click();
  const menu = page.getByRole('menu');
  for (const name of ['Invitations', 'Settings', 'Administration', 'Log Out'])
    await expect(menu.getByRole('menuitem', { name })).toBeVisible();
});

test('"Grids have 3 columns."', async ({ signedIn: page, operator }) => {
  for (let count = 0; count < 4; count += 1) await newProject(operator);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto('/projects');
  const cards = page.getByRole('main').locator('a[href^="/projects/p_"]');
  await cards.nth(3).waitFor();
  // At once: projects of other tests move the cards.
  const tops = await cards.evaluateAll((all) =>
    all.slice(0, 4).map((card) => card.getBoundingClientRect().y),
  );
  expect(tops[1]).toBe(tops[0]);
  expect(tops[2]).toBe(tops[0]);
  expect(tops[3]).toBeGreaterThan(tops[0] ?? Number.NaN);
});

test('"New user token and new deployment token names: non-empty (Name must not be empty.)."', async ({
  signedIn: page,
  project,
}) => {
  for (const path of ['/settings/security', `/projects/${project.projectId}/tokens`]) {
    await page.goto(path);
    await page.getByRole('button', { name: 'New Token' }).first().click();
    const name = page.getByRole('dialog').getByLabel('Name');
    await name.fill('x');
    await name.fill('');
    await name.blur();
    await expect(page.getByRole('dialog').getByText('Name must not be empty.')).toBeVisible();
    await page.keyboard.press('Escape');
  }
});
