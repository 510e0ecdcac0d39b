import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { WebSocketServer } from 'ws';
import { newUser } from '../fixtures/operator.ts';
import { openSession, expect, refusedWith, test as base } from '../fixtures/test.ts';

interface DeviceSite {
  readonly port: number;
  /** Every request that the device has received. */
  readonly requests: IncomingMessage[];
}

const html = `<!doctype html><html lang="en"><title>Panel</title><h1>Panel of the device</h1><output></output>
<script>
  const say = (text) => (document.querySelector('output').textContent += text + ' ');
  const socket = new WebSocket(location.origin.replace('http', 'ws') + '/socket');
  socket.onopen = () => socket.send('over');
  socket.onmessage = ({ data }) => say('socket:' + data);
  socket.onclose = () => say('socket-closed');
  const events = new EventSource('/events');
  events.onmessage = ({ data }) => say('event:' + data);
  events.onerror = () => (events.close(), say('events-closed'));
  fetch('/upload', { method: 'POST', body: new Blob(['x'.repeat(1000000)]) })
    .then((answer) => answer.text()).then((size) => say('uploaded:' + size));
</script>`;

function answer(request: IncomingMessage): Promise<string> | string {
  if (request.url !== '/upload') return html;
  return new Promise((resolve) => {
    let sizeBytes = 0;
    request
      .on('data', (chunk: Buffer) => (sizeBytes += chunk.length))
      .on('end', () => resolve(String(sizeBytes)));
  });
}

async function startSite(requests: IncomingMessage[]): Promise<Server> {
  const sockets = new WebSocketServer({ noServer: true });
  const server = createServer((request, response) => {
    requests.push(request);
    if (request.url === '/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      return void response.write('data: first\n\n');
    }
    void Promise.resolve(answer(request)).then((text) =>
      response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'own=1; Path=/' }).end(text),
    );
  });
  server.on('upgrade', (request, socket, head) => {
    requests.push(request);
    sockets.handleUpgrade(request, socket, head, (webSocket) =>
      webSocket.on('message', (data) => webSocket.send(String(data))),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** Tests with a web server on the device. */
const test = base.extend<{ site: DeviceSite }>({
  site: async ({}, use) => {
    const requests: IncomingMessage[] = [];
    const server = await startSite(requests);
    await use({ port: (server.address() as AddressInfo).port, requests });
    server.close();
    server.closeAllConnections();
  },
});

/** Opens the page of a device at a port, from the page of the device in the console. */
async function openPort(page: Page, port: number): Promise<Page> {
  await page.getByRole('button', { name: 'Other web pages of the device' }).click();
  await page.getByRole('menuitem', { name: 'Another port...' }).click();
  await page.getByRole('textbox', { name: /^Port/ }).fill(String(port));
  const opened = page.context().waitForEvent('page');
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  return opened;
}

test("the button opens the device's page on a host name of its own, where sockets, events and uploads work", async ({
  signedIn: page,
  connected,
  site,
}) => {
  await page.goto(connected.path);
  const tab = await openPort(page, site.port);
  await expect(tab.getByRole('heading', { name: 'Panel of the device' })).toBeVisible();
  const { hostname, pathname, search } = new URL(tab.url());
  expect(hostname).toMatch(/^[a-z2-7]{26}\.proxy\.localhost$/);
  expect([pathname, search]).toEqual(['/', '']);
  const output = tab.locator('output');
  await expect(output).toContainText('socket:over');
  await expect(output).toContainText('event:first');
  await expect(output).toContainText('uploaded:1000000');
  expect(await tab.evaluate(() => window.opener === null)).toBe(true);

  await tab.reload();
  await expect(output).toContainText('socket:over');
  const cookies = site.requests.map(({ headers }) => headers.cookie);
  expect(new Set(cookies)).toEqual(new Set([undefined, 'own=1']));
  const seen = JSON.stringify(site.requests.map(({ rawHeaders, url }) => [rawHeaders, url]));
  expect(seen).not.toMatch(/session|__Host|eyJ|token/);
  await tab.close();
});

test('the default page opens with one click, and an error page is shown when nothing answers there', async ({
  signedIn: page,
  connected,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(refusedWith(502));
  await page.goto(connected.path);
  const opened = page.context().waitForEvent('page');
  await page.getByRole('button', { name: 'HTTP Proxy' }).click();
  const tab = await opened;
  await expect(tab.getByRole('heading', { name: 'Nothing answers at this port' })).toBeVisible();
  await expect(tab.getByText('port 80 of the device')).toBeVisible();
  await expect(tab.getByRole('link', { name: 'Open Corral' })).toHaveAttribute(
    'href',
    /^http:\/\/127\.0\.0\.1/,
  );
  const fonts = () => tab.evaluate<string[]>('[...document.fonts].map(({ status }) => status)');
  await expect.poll(fonts, 'the font of the console').toEqual(['loaded']);
});

test('another browser cannot open the page with its address alone', async ({
  signedIn: page,
  connected,
  site,
  browser,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(refusedWith(403));
  await page.goto(connected.path);
  const tab = await openPort(page, site.port);
  await expect(tab.getByRole('heading', { name: 'Panel of the device' })).toBeVisible();
  const elsewhere = await browser.newContext({ userAgent: 'stranger' });
  const stranger = await elsewhere.newPage();
  const answered = await stranger.goto(tab.url());
  expect(answered?.status()).toBe(403);
  await expect(stranger.getByRole('heading', { name: 'Open this page from Corral' })).toBeVisible();
  await expect(stranger.getByText('Panel of the device')).toBeHidden();
  expect(site.requests.filter(({ headers }) => headers['user-agent'] === 'stranger')).toEqual([]);
  await elsewhere.close();
  await tab.close();
});

test('a removed member loses the page and its open streams', async ({
  page,
  hub,
  operator,
  project,
  connected,
  site,
  expectedConsoleErrors,
}) => {
  // Open streams are aborted, and the console no longer shows this user the page of the device.
  expectedConsoleErrors.push(refusedWith(400), /ERR_INCOMPLETE_CHUNKED_ENCODING/);
  const { projectId } = project;
  const member = await newUser(operator);
  await operator.invoke('projects_AddProjectMember', { projectId, userId: member.userId });
  await openSession(page, hub, member);
  await page.goto(connected.path);
  const tab = await openPort(page, site.port);
  const output = tab.locator('output');
  await expect(output).toContainText('event:first');
  await expect(output).toContainText('socket:over');
  // The first refused request clears the cookie of the page; that request must be the navigation below.
  await expect(output).toContainText('uploaded:1000000');

  await operator.invoke('projects_RemoveProjectMember', { projectId, userId: member.userId });
  await expect(output).toContainText('socket-closed');
  await expect(output).toContainText('events-closed');
  await tab.goto(new URL('/other', tab.url()).href);
  await expect(tab).toHaveURL(hub.url + connected.path);
  await expect(tab.getByText('Panel of the device')).toBeHidden();
});
