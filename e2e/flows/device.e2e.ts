import { hostname } from 'node:os';
import { parseExactJson } from '@corral/contract';
import type { Page } from '@playwright/test';
import { cancelDialog } from '../fixtures/cancel-dialog.ts';
import { newEvent, publishEvents } from '../fixtures/device-events.ts';
import { newToken } from '../fixtures/operator.ts';
import { expect, refusedWith, test } from '../fixtures/test.ts';

const certificates = (page: Page) => page.getByRole('table', { name: 'Certificates' });
const eventTable = (page: Page) => page.getByRole('table', { name: 'Recent Events' });
const fact = (page: Page, name: string) => page.getByRole('definition').filter({ hasText: name });
const badge = (page: Page, state: 'Connected' | 'Disconnected') =>
  page.getByRole('main').getByText(state, { exact: true }).first();

test('a device shows its system information, its certificate, its connection and "No recent events."', async ({
  signedIn: page,
  connected,
}) => {
  const { path, device, deviceId } = connected;
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(hostname());
  await expect(badge(page, 'Connected')).toBeVisible();
  await expect(fact(page, hostname()).first()).toBeVisible();
  const row = certificates(page).getByRole('row').filter({ hasText: 'Active' });
  const fingerprint = await device.call('certificate', 'fingerprint');
  await expect(row.getByRole('button', { name: /, copy certificate fingerprint/ })).toHaveAttribute(
    'title',
    fingerprint,
  );
  await expect(page.getByText('Connected For')).toBeVisible();
  await expect(page.getByText('No recent events.')).toBeVisible();
  await expect(page.getByText('No metadata.')).toBeVisible();
  expect(await device.call('device', 'id')).toBe(deviceId);
});

test('an event that the device reports appears without a reload: severity, message, category, attributes', async ({
  signedIn: page,
  connected,
}) => {
  const { path, device } = connected;
  await page.goto(path);
  await page.getByText('No recent events.').waitFor();
  await device.call(
    'events',
    'emit',
    'The trough is empty',
    '--severity=warning',
    '--category=water',
    '--attribute=litres=0',
    '--attribute=basin="north"',
  );
  const row = eventTable(page).getByRole('row').filter({ hasText: 'The trough is empty' });
  await expect(row).toContainText('Warning');
  await expect(row).toContainText('water');
  await expect(row).toContainText(/basin="?north"?.*litres=0/);
});

test('integers beyond 2^53 have all digits in metadata, properties and events, also after a change', async ({
  signedIn: page,
  operator,
  connected,
}) => {
  const { path, deviceId } = connected;
  const serial = parseExactJson('9007199254740993') as number;
  const at = (nanoseconds: string) => parseExactJson(`{"at":${nanoseconds}}`) as { at: number };
  const set = (value: object) =>
    operator.invoke('devices_SetDeviceProperty', { deviceId, name: 'started', value: value as never });
  await operator.invoke('devices_SetDeviceMetadata', { deviceId, metadata: { serial } });
  await set(at('1764252000123456789'));
  await publishEvents(operator, deviceId, [newEvent(Date.now(), at('-1764252000123456789'))]);
  await page.goto(path);
  await expect(page.getByText('9007199254740993')).toBeVisible();
  await expect(page.getByText('"at": 1764252000123456789')).toBeVisible();
  await expect(eventTable(page).getByText('"at": -1764252000123456789')).toBeVisible();
  await set(at('1764252000123456788'));
  await expect(page.getByText('"at": 1764252000123456788')).toBeVisible();
});

test('"Device events default limit 10": the newest ten show, more are read page by page, and all are found by severity, category and time', async ({
  signedIn: page,
  operator,
  connected,
}) => {
  const { path, deviceId } = connected;
  const count = 350;
  // Within minutes of their receipt, so that they are sorted by their own time.
  const intervalMs = 100;
  const firstAtMs = Date.now() - count * intervalMs;
  const gates = Array.from({ length: count }, (_, index) => index + 1).map((number) =>
    newEvent(firstAtMs + number * intervalMs, `Gate ${number} opened`, {
      severity: number === 3 ? 'Error' : 'Info',
      category: number <= 20 ? 'water' : 'power',
    }),
  );
  await publishEvents(operator, deviceId, gates);
  const questions: { limit?: number; after?: string }[] = [];
  page.on('request', (request) => {
    if (!request.url().endsWith('devices_QueryDeviceEvents')) return;
    questions.push(JSON.parse(request.postData() ?? '{}') as object);
  });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(path);
  const table = eventTable(page);
  const rows = table.getByRole('row');
  await expect(rows).toHaveCount(11);
  for (let shown = 110; shown < count + 100; shown += 100) {
    await page.getByRole('button', { name: 'Load more' }).click();
    // Above 200 only those near the viewport are rendered.
    if (shown <= 200) await expect(rows).toHaveCount(shown + 1);
    else await expect(table).toHaveAttribute('aria-rowcount', String(Math.min(shown, count) + 1));
  }
  await expect(page.getByText('These are all 350.')).toBeFocused();
  expect(questions.every(({ limit = 0 }) => limit <= 100)).toBe(true);
  expect(new Set(questions.map(({ after }) => after)).size, 'pages that were read').toBe(5);

  const field = page.getByRole('combobox', { name: 'Filter events' });
  const filter = `category:water emitted<${new Date(firstAtMs + 6 * intervalMs).toISOString()}`;
  await field.fill(filter);
  await expect(rows).toHaveCount(6);
  await expect(rows.nth(1)).toContainText('Gate 5 opened');
  await page.getByRole('button', { name: 'Error', exact: true }).click();
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(1)).toContainText('Gate 3 opened');
  await page.reload();
  await expect(rows).toHaveCount(2);
  await expect(field).toHaveValue(filter);
  await field.fill('categori:water');
  await expect(page.locator('p', { hasText: 'Did you mean category?' })).toBeVisible();
  await expect(rows.nth(1)).toContainText('Gate 3 opened');
  await field.fill('opened category:power');
  await expect(page.getByText('Nothing matches')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(rows).toHaveCount(11);
});

test('"Rename Device form with one name field and Save; field cleared after submit"', async ({
  signedIn: page,
  connected,
}) => {
  const { path } = connected;
  await page.goto(path);
  const field = page.getByRole('main').getByRole('textbox', { name: 'Name' });
  const save = page.getByRole('button', { name: 'Save' });
  await field.fill('North trough');
  await save.click();
  await expect(field).toHaveValue('');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('North trough');
  await save.click();
  await page
    .getByRole('alertdialog', { name: 'Remove the name?' })
    .getByRole('button', { name: 'Cancel' })
    .click();
  await page.getByRole('link', { name: 'Devices', exact: true }).first().click();
  await expect(page.getByRole('table', { name: 'Devices' }).getByText('North trough').first()).toBeVisible();
  await page.reload();
  await expect(page.getByRole('table', { name: 'Devices' }).getByText('North trough').first()).toBeVisible();
});

test('"Metadata (key/value, objects as formatted JSON)" appears as the device sets it, and one-shot commands do not change the presence', async ({
  signedIn: page,
  connected,
  operator,
}) => {
  const { path, device, agent, deviceId } = connected;
  await page.goto(path);
  await page.getByText('No metadata.').waitFor();
  await device.call('device', 'metadata', 'set', '{"site":"north","tank":{"litres":400}}');
  await expect(fact(page, 'north').first()).toBeVisible();
  await expect(fact(page, '"litres": 400')).toBeVisible();
  await device.call('device', 'properties', 'set', 'level', '7');
  expect(await device.call('device', 'properties', 'get', 'level')).toBe('7');
  const { properties } = await operator.invoke('devices_QueryDeviceProperties', { deviceId });
  expect(properties['level']).toMatchObject({ value: 7 });
  await expect(badge(page, 'Connected')).toBeVisible();
  const { connections } = await operator.invoke('devices_GetDeviceDetails', { deviceId });
  expect(connections).toHaveLength(1);
  await agent.stop();
  await expect(badge(page, 'Disconnected')).toBeVisible();
  await device.call('events', 'emit', 'Still there, but asleep');
  await expect(eventTable(page).getByText('Still there, but asleep')).toBeVisible();
  await expect(badge(page, 'Disconnected')).toBeVisible();
});

test('"Pending: Accept gives Active", and the device connects by itself', async ({
  signedIn: page,
  hub,
  operator,
  project,
  devices,
}) => {
  const { token } = await newToken(operator, project, { autoAccept: false });
  const device = await devices.make(hub, token);
  const agent = device.run();
  await agent.waitForLine(/certificate pending/);
  await page.goto(`/projects/${project.projectId}/devices`);
  const row = page.getByRole('table', { name: 'Devices' }).getByRole('row').filter({ hasText: 'unnamed' });
  await expect(row).toContainText('Disconnected');
  await row.getByRole('link', { name: /^View/ }).click();
  await certificates(page).getByRole('button', { name: 'Accept' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Accept certificate' });
  const [first = ''] = (await device.call('certificate', 'fingerprint')).match(/^(..:){3}../) ?? [];
  await expect(dialog.getByText(first)).toBeVisible();
  await dialog.getByRole('button', { name: 'Accept' }).click();
  await expect(certificates(page).getByText('Active')).toBeVisible();
  await expect(badge(page, 'Connected')).toBeVisible();
  await agent.connected();
});

test('"Pending: Reject gives Rejected", and the device cannot connect', async ({
  signedIn: page,
  hub,
  operator,
  project,
  devices,
}) => {
  const { token } = await newToken(operator, project, { autoAccept: false });
  const device = await devices.make(hub, token);
  expect((await device.attempt('device', 'id')).stderr).toMatch(/pending/i);
  await page.goto(`/projects/${project.projectId}/devices`);
  await page.getByRole('table', { name: 'Devices' }).getByRole('link', { name: /^View/ }).click();
  await certificates(page).getByRole('button', { name: 'Reject' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Reject certificate' });
  await cancelDialog(dialog);
  await expect(certificates(page).getByText('Pending')).toBeVisible();
  await certificates(page).getByRole('button', { name: 'Reject' }).click();
  await dialog.getByRole('button', { name: 'Reject' }).click();
  await expect(certificates(page).getByText('Rejected')).toBeVisible();
  expect((await device.attempt('device', 'id')).stderr).toMatch(/rejected/i);
});

test('"Active: Revoke gives Revoked", and the device is disconnected at once', async ({
  signedIn: page,
  connected,
}) => {
  const { path, agent, device } = connected;
  await page.goto(path);
  await certificates(page).getByRole('button', { name: 'Revoke' }).click();
  await page
    .getByRole('alertdialog', { name: 'Revoke certificate' })
    .getByRole('button', { name: 'Revoke' })
    .click();
  await expect(certificates(page).getByText('Revoked')).toBeVisible();
  await expect(badge(page, 'Disconnected')).toBeVisible();
  await expect(page.getByText('No connections.')).toBeVisible();
  await agent.waitForLine(/the hub ended the connection/);
  await agent.waitForLine(/because .*revoked/i);
  expect((await device.attempt('events', 'emit', 'Let me in')).code).toBe(1);
});

test('"Delete allowed in any status": a deleted certificate is gone and its device disconnected', async ({
  signedIn: page,
  connected,
}) => {
  const { path, agent } = connected;
  await page.goto(path);
  await certificates(page).getByRole('button', { name: 'Delete' }).click();
  await page
    .getByRole('alertdialog', { name: 'Delete certificate' })
    .getByRole('button', { name: 'Delete' })
    .click();
  await agent.waitForLine(/the hub ended the connection/);
  await expect(badge(page, 'Disconnected')).toBeVisible();
  // The device presents its certificate again, which is now pending like a new one.
  await expect(certificates(page).getByText('Pending')).toBeVisible();
});

test('"After deletion the user goes up one level", and the device is disconnected', async ({
  signedIn: page,
  connected,
  operator,
  project,
  expectedConsoleErrors,
}) => {
  // A read that is under way when the device goes is refused.
  expectedConsoleErrors.push(refusedWith(400));
  const { path, agent, deviceId } = connected;
  await page.goto(path);
  await expect(
    page.getByText('This deletes the device with all its data and cannot be undone.'),
  ).toBeVisible();
  // A device without a name is called by its hostname, once its agent has reported it.
  await expect(page.getByRole('heading', { level: 1, name: hostname() })).toBeVisible();
  await page.getByRole('button', { name: 'Delete Device' }).click();
  const dialog = page.getByRole('alertdialog', { name: `Delete device “${hostname()}”` });
  const confirm = dialog.getByRole('button', { name: 'Delete', exact: true });
  await expect(confirm).toHaveAccessibleDescription(`Type ${hostname()} first`);
  await dialog.getByRole('textbox').fill(hostname());
  await confirm.click();
  await expect(page).toHaveURL(`/projects/${project.projectId}/devices`);
  await agent.waitForLine(/the hub ended the connection/);
  await expect(operator.invoke('devices_GetDeviceDetails', { deviceId })).rejects.toMatchObject({
    kind: 'Invalid',
  });
});

test('the filter, the view and the order of the list are in the URL', async ({
  signedIn: page,
  project,
  connected: _connected,
}) => {
  await page.goto(`/projects/${project.projectId}/devices`);
  const table = page.getByRole('table', { name: 'Devices' });
  await table.getByText(hostname()).first().waitFor();
  await page.getByRole('button', { name: /^Disconnected/ }).click();
  await expect(page).toHaveURL(/status=disconnected/);
  await expect(page.getByText('Nothing matches')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('combobox', { name: 'Filter by name or ID' }).fill('no such name');
  await expect(page).toHaveURL(/q=no/);
  await expect(page.getByText('Nothing matches')).toBeVisible();
});

test('invalid values in the URL of a list are ignored, and the list is shown', async ({
  signedIn: page,
  project,
  connected,
}) => {
  const path = `/projects/${project.projectId}`;
  await connected.device.call('events', 'emit', 'Still listed');
  for (const [address, table, text] of [
    [`${path}/devices?status=nonsense&certs=1&sort=-nothing`, 'Devices', hostname()],
    [`${connected.path}?severity=nonsense`, 'Recent Events', 'Still listed'],
    [`${path}/tokens?sort=nonsense`, 'Tokens', 'fixture'],
    [`${path}/log?range=nonsense`, 'Log', 'projects_Created'],
  ] as const) {
    await page.goto(address);
    await expect(page.getByRole('table', { name: table }).getByText(text).first()).toBeVisible();
  }
});
