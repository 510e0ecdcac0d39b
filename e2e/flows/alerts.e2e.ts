import { connectDevice } from '../fixtures/connected-device.ts';
import { expectAccessible } from '../fixtures/expect-accessible.ts';
import { expect, test } from '../fixtures/test.ts';
import { type ReceivedMessage, startReceiver } from '../fixtures/webhook-receiver.ts';

/** Within it the hub looks again, and gathers what it tells. */
const told = { timeout: 60_000 };
/** A hub that has just started gives devices two and a half minutes to come back before it tells of any. */
const toldAfterStart = { timeout: 210_000 };

/** How many things the messages say that fire, or that have ended. */
const sumOf = (messages: readonly ReceivedMessage[], field: 'count' | 'resolvedCount'): number =>
  messages
    .filter(({ type }) => type !== 'alert.test')
    .reduce((sum, { data }) => sum + Number(data[field] ?? 0), 0);

test('a rule is previewed and tested, tells a receiver of devices that leave and return, and its alerts are acknowledged and muted', async ({
  signedIn: page,
  operator,
  hub,
  devices,
  project,
}) => {
  test.setTimeout(480_000);
  await using receiver = await startReceiver();
  const { projectId } = project;
  const { secret = '' } = await operator.invoke('projects_CreateWebhook', {
    projectId,
    name: 'ops-hook',
    url: receiver.url,
    types: ['projects_NameChanged'],
  });
  const connected = [];
  for (const name of ['quay', 'mast', 'crane']) {
    const one = await connectDevice({ hub, operator, devices, project });
    await operator.invoke('devices_SetDeviceName', { deviceId: one.deviceId, name });
    connected.push(one);
  }

  await page.goto(`/projects/${projectId}/alerts`);
  await expect(page.getByRole('heading', { name: 'Nothing fires' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Add the rule/u })).toHaveCount(3);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'New Rule' }).click();
  await expect(page.getByText('Nothing would fire now.')).toBeVisible();
  await page.getByRole('combobox', { name: 'For at least' }).click();
  await page.getByRole('option', { name: 'no time, at once' }).click();
  await page.getByRole('combobox', { name: 'E-mails' }).click();
  await page.getByRole('option', { name: 'to nobody' }).click();
  await expect(page.getByText('Nobody is told: what fires is only shown here.')).toBeVisible();
  await page.getByRole('combobox', { name: 'Webhooks' }).click();
  await page.getByRole('option', { name: 'ops-hook' }).click();
  await page.keyboard.press('Escape');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Add Rule' }).click();

  await expect(page.getByRole('heading', { name: 'Devices offline', level: 1 })).toBeVisible();
  await page.getByRole('button', { name: 'Send a Test' }).click();
  await expect(page.getByText('Accepted by ops-hook with 204.')).toBeVisible(told);
  expect(receiver.received(secret).map(({ type }) => type)).toEqual(['alert.test']);
  await expectAccessible(page);

  await Promise.all(connected.map(({ agent }) => agent.stop('SIGKILL')));
  await expect.poll(() => sumOf(receiver.received(secret), 'count'), toldAfterStart).toBe(3);
  await page.goto(`/projects/${projectId}/alerts`);
  const firing = page.getByRole('table', { name: 'Firing' });
  await expect(firing.getByRole('row')).toHaveCount(4);
  await expect(page.getByRole('button', { name: 'Alerts: 3 fire' })).toBeVisible();
  await expectAccessible(page);
  await firing.getByRole('button', { name: 'Acknowledge quay' }).click();
  await expect(firing.getByRole('row', { name: /quay/u })).toContainText('Acknowledged');
  await firing.getByRole('checkbox', { name: 'Select all 3' }).check();
  await page.getByRole('button', { name: 'Acknowledge', exact: true }).click();
  await expect(page.getByText('0 alerts fire, 3 acknowledged')).toBeVisible();

  await firing.getByRole('button', { name: 'Actions for crane' }).click();
  await page.getByRole('menuitem', { name: 'Mute…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Mute alerts' });
  await dialog.getByRole('textbox', { name: /^Reason/u }).fill('in repair');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Mute' }).click();
  await expect(firing.getByRole('row', { name: /crane/u })).toContainText('muted');
  await page.getByRole('link', { name: 'Muted' }).click();
  await expect(page.getByRole('row', { name: /Device crane/u })).toContainText('in repair');
  await expectAccessible(page);

  const path = connected[0]?.path ?? '';
  await page.goto(path);
  await expect(page.getByRole('region', { name: 'An alert fires' })).toContainText('Devices offline');

  for (const { device } of connected) await device.run().connected();
  await expect(page.getByRole('region', { name: 'An alert fires' })).toHaveCount(0, told);
  // Of the muted one nothing is told.
  await expect.poll(() => sumOf(receiver.received(secret), 'resolvedCount'), told).toBe(2);
  await page.goto(`/projects/${projectId}/alerts?tab=history`);
  await expect(page.getByRole('img', { name: /^3 alerts in the last 30 days/u })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: '3 Warning' }).click();
  await expect(page.getByRole('table', { name: 'History' }).getByRole('row')).toHaveCount(4);

  await page.setViewportSize({ width: 390, height: 844 });
  for (const tab of ['', '?tab=history', '?tab=rules', '?tab=muted', '/rules/new']) {
    await page.goto(`/projects/${projectId}/alerts${tab}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  }
});
