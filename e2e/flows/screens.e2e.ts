import { hostname } from 'node:os';
import type { Page, Request } from '@playwright/test';
import { newProject, newUser, signInByApi } from '../fixtures/operator.ts';
import { openSession, expect, refusedWith, test } from '../fixtures/test.ts';

const text = 'The page you are looking for does not exist. Please check the URL or go back to the home page.';

test('"Not found page: title Page not Found, text: The page you are looking for does not exist. Please check the URL or, followed by a link go back to the home page leading to /."', async ({
  signedIn: page,
}) => {
  await page.goto('/no/such/page');
  await expect(page.getByRole('heading', { level: 1, name: 'Page not Found' })).toBeVisible();
  await expect(page.getByText(text)).toBeVisible();
  await page.getByRole('link', { name: 'go back to the home page' }).click();
  await expect(page).toHaveURL('/projects');
});

test('a project without access looks the same as one that does not exist', async ({
  page,
  hub,
  operator,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(refusedWith(400));
  const stranger = await newUser(operator);
  const foreign = await newProject(await signInByApi(hub));
  await openSession(page, hub, stranger);
  const screens: string[] = [];
  for (const projectId of [foreign.projectId, 'p_1111111111111111111111', 'nonsense']) {
    await page.goto(`/projects/${projectId}/devices`);
    await expect(page.getByRole('heading', { level: 1, name: 'Page not Found' })).toBeVisible();
    screens.push(await page.getByRole('main').innerText());
  }
  expect(new Set(screens).size).toBe(1);
});

test('a device that does not exist is not found, and the navigation of its project stays', async ({
  signedIn: page,
  project,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(refusedWith(400));
  await page.goto(`/projects/${project.projectId}/devices/d_1111111111111111111111`);
  await expect(page.getByRole('heading', { level: 1, name: 'Page not Found' })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Project' })).toBeVisible();
});

test('"Something went wrong! with a Show Error / Hide Error toggle revealing the error message"', async ({
  signedIn: page,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(refusedWith(500), /Error in route match/);
  await page.route('**/invoke/users_QueryUserProjects', (route) =>
    route.fulfill({
      status: 500,
      json: { kind: 'Internal', message: 'The disk is full.', requestId: 'r-1' },
    }),
  );
  await page.goto('/projects');
  await expect(page.getByRole('heading', { name: 'Something went wrong!' })).toBeVisible();
  await expect(page.getByText('The disk is full.')).toBeHidden();
  await page.getByRole('button', { name: 'Show Error' }).click();
  await expect(page.getByText('The disk is full.')).toBeVisible();
  await page.getByRole('button', { name: 'Hide Error' }).click();
  await expect(page.getByText('The disk is full.')).toBeHidden();
  await page.unroute('**/invoke/users_QueryUserProjects');
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Projects' })).toBeVisible();
});

test('the header shows Polling without the stream, and Live after it is restored', async ({
  signedIn: page,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/^Failed to load resource: net::ERR_/);
  let isCut = true;
  await page.route('**/api/v1/stream*', (route) => (isCut ? route.abort() : route.continue()));
  await page.goto('/projects');
  const state = page.getByRole('status').filter({ hasText: /^(Live|Polling|Offline)$/ });
  await expect(state).toHaveText('Polling');
  isCut = false;
  await expect(state).toHaveText('Live');
});

test('"Refreshes every 2 minutes": without the stream the list of devices is queried again after 120 s', async ({
  signedIn: page,
  operator,
  project,
  connected,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/^Failed to load resource: net::ERR_/);
  const { projectId } = project;
  const listed = async () =>
    (await operator.invoke('projects_QueryProjectDevices', { projectId })).devices[0];
  await expect.poll(async () => (await listed())?.hostname).toBe(hostname());
  await page.clock.install();
  await page.route('**/api/v1/stream*', (route) => route.abort());
  await page.goto(`/projects/${project.projectId}/devices`);
  const table = page.getByRole('table', { name: 'Devices' });
  await table.getByText(hostname()).first().waitFor();
  // From here on no time passes but by `pass`, however long a busy machine takes.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000);
  await operator.invoke('devices_SetDeviceName', { deviceId: connected.deviceId, name: 'Queried again' });
  let reads = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/projects_QueryProjectDevices')) reads += 1;
  });
  const pass = passTime(page);
  await pass(100);
  await expect(table.getByText(hostname()).first()).toBeVisible();
  expect(reads).toBe(0);
  await pass(25);
  await expect(table.getByText('Queried again').first()).toBeVisible();
  expect(reads).toBe(1);
});

/** Returns a function that lets seconds pass on the page's stopped clock, one by one: each request is answered before its time limit on this clock. */
function passTime(page: Page): (seconds: number) => Promise<void> {
  const pending = new Set<Request>();
  page.on('request', (request) => void pending.add(request));
  page.on('requestfinished', (request) => void pending.delete(request));
  page.on('requestfailed', (request) => void pending.delete(request));
  return async (seconds) => {
    for (let second = 0; second < seconds; second += 1) {
      await page.clock.runFor(1_000);
      await expect.poll(() => pending.size, { intervals: [5, 20, 100] }).toBe(0);
    }
  };
}
