import { hostname } from 'node:os';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { byRole, byText, expect, signInWithFirefox, test } from '../fixtures/firefox.ts';

const path = (address: string): string => new URL(address).pathname;

test('a user signs in and gets to the list of projects', async ({ tab, hub, project }) => {
  await tab.goto(`${hub.url}/projects`);
  await tab.locator(byRole('heading', 'Welcome Back')).wait();
  expect(new URL(tab.url()).search).toBe('?redirect=%2Fprojects');
  await signInWithFirefox(tab);
  await tab.locator(byRole('heading', 'Projects')).wait();
  await tab.locator(byText(project.name)).wait();
  expect(path(tab.url())).toBe('/projects');
});

test('the list of devices shows a new name and a lost connection without a reload', async ({
  signedInTab: tab,
  hub,
  operator,
  project,
  connected,
}) => {
  await tab.goto(`${hub.url}/projects/${project.projectId}/devices`);
  const row = (text: string) => tab.locator(`tbody ${byText(text)}`).wait();
  await row(hostname());
  await row('Connected');
  await operator.invoke('devices_SetDeviceName', { deviceId: connected.deviceId, name: 'North gate' });
  await row('North gate');
  await connected.agent.stop('SIGTERM');
  await row('Disconnected');
});

test('a deployment token is created, and its secret is shown once', async ({
  signedInTab: tab,
  hub,
  project,
}) => {
  await tab.goto(`${hub.url}/projects/${project.projectId}/tokens`);
  await tab.locator(byRole('button', 'New Token')).click();
  await tab.locator('[role=dialog] input').fill('West gate');
  await tab.locator('[role=dialog] button[type=submit]').click();
  const secret = await tab.locator(byRole('status', 'deployment token')).waitHandle();
  expect(await secret.evaluate((element) => element.textContent)).toMatch(/^deployment_\w{66}$/);
  await tab.locator(byRole('button', 'I stored it')).click();
  await tab.locator(byRole('switch', 'Auto Accept of West gate')).wait();
});

test('the page of a device opens on a host name of its own', async ({
  signedInTab: tab,
  hub,
  window,
  connected,
}) => {
  const site = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Panel of the device</h1>'),
  ).listen(0, '127.0.0.1');
  await once(site, 'listening');
  await tab.goto(hub.url + connected.path);
  await tab.locator(byRole('button', 'Other web pages of the device')).click();
  await tab.locator(byRole('menuitem', 'Another port...')).click();
  await tab.locator('[role=dialog] input').fill(String((site.address() as AddressInfo).port));
  await tab.locator(byRole('button', 'Open')).click();
  const opened = await window.waitForTarget((target) => new URL(target.url()).host !== new URL(hub.url).host);
  const page = await opened.page();
  await page?.locator(byRole('heading', 'Panel of the device')).wait();
  site.close();
  site.closeAllConnections();
});

test('a user signs out', async ({ signedInTab: tab, hub }) => {
  await tab.locator(byRole('button', 'Administrator')).click();
  await tab.locator(byRole('menuitem', 'Log Out')).click();
  await tab.locator(byRole('heading', 'Welcome Back')).wait();
  await tab.goto(`${hub.url}/projects`);
  await tab.locator(byRole('heading', 'Welcome Back')).wait();
});
