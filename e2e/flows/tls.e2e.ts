import { hostname } from 'node:os';
import { administrator } from '../fixtures/hub-process.ts';
import { expect, refusedWith, signIn, test as base } from '../fixtures/test.ts';

const test = base.extend({
  baseURL: async ({ tlsHub }, use) => use(tlsHub.url),
  ignoreHTTPSErrors: true,
});

test('"Over TLS the device presents its certificate in the handshake": it connects and its page shows that certificate', async ({
  page,
  tlsHub: hub,
  devices,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(refusedWith(401));
  expect(hub.url).toMatch(/^https:/);
  await page.goto('/login');
  await signIn(page, administrator);
  await page.getByRole('button', { name: 'Create Project' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create Project' });
  await dialog.getByLabel('Name (required)').fill('Encrypted');
  await dialog.getByRole('button', { name: 'Create Project' }).click();
  await page.getByRole('button', { name: 'Make token' }).click();
  const command = await page.getByRole('group', { name: 'agent command' }).getByRole('code').innerText();
  const token = /CORRAL_AGENT_TOKEN=(\S+)/.exec(command)?.[1] ?? '';

  const distrusting = await devices.make(hub, token);
  const refused = await distrusting.attempt('device', 'id');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('its certificate is signed by nobody whom this machine trusts');

  const device = await devices.make(hub, token, { NODE_EXTRA_CA_CERTS: hub.authorityFile });
  await device.run().connected();
  // A device without a name is shown by the hostname that it reports once it is connected.
  await expect(page.getByText(`Connected: ${hostname()}`)).toBeVisible();
  await page.getByRole('link', { name: 'View device' }).click();
  const fingerprint = await device.call('certificate', 'fingerprint');
  await expect(
    page.getByRole('table', { name: 'Certificates' }).getByRole('button', { name: /, copy certificate/ }),
  ).toHaveAttribute('title', fingerprint);
  await page.getByRole('table', { name: 'Certificates' }).getByText('Active').waitFor();
});
