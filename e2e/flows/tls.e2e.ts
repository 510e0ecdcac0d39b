import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test as base, expect } from '@playwright/test';
import { createDevices, type Devices } from '../fixtures/agent.ts';
import {
  administrator,
  newDataDir,
  removeDataDir,
  startHubProcess,
  type HubProcess,
} from '../fixtures/hub-process.ts';
import { runProgram } from '../fixtures/program.ts';

const tool = fileURLToPath(new URL('../../tools/dev-certificate.ts', import.meta.url));

interface Parts {
  readonly folder: string;
  /** A hub that terminates TLS itself, by files of `npm run dev-certificate`. */
  readonly hub: HubProcess;
  readonly devices: Devices;
}

const test = base.extend<Parts>({
  folder: async ({}, use) => {
    const folder = await newDataDir();
    const { code, stderr } = await runProgram(process.execPath, [tool, join(folder, 'tls')]);
    expect(stderr).toBe('');
    expect(code).toBe(0);
    await use(folder);
    await removeDataDir(folder);
  },
  hub: async ({ folder }, use) => {
    const dataDir = await newDataDir();
    const hub = await startHubProcess(dataDir, {
      CORRAL_TLS_CERT: join(folder, 'tls', 'hub-certificate.pem'),
      CORRAL_TLS_KEY: join(folder, 'tls', 'hub-key.pem'),
    });
    await use(hub);
    expect(await hub.stop()).toBe(0);
    await removeDataDir(dataDir);
  },
  devices: async ({}, use) => {
    const devices = createDevices();
    await use(devices);
    await devices.end();
  },
  baseURL: async ({ hub }, use) => use(hub.url),
  ignoreHTTPSErrors: true,
});

test('"Over TLS the device presents its certificate in the handshake": it connects and its page shows that certificate', async ({
  page,
  hub,
  folder,
  devices,
}) => {
  expect(hub.url).toMatch(/^https:/);
  await page.goto('/login');
  await page.getByLabel('Email').fill(administrator.email);
  await page.getByLabel('Password (required)').fill(administrator.password);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.getByRole('button', { name: 'Create Project' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create Project' });
  await dialog.getByLabel('Name (required)').fill('Fenced');
  await dialog.getByRole('button', { name: 'Create Project' }).click();
  await page.getByRole('button', { name: 'Make token' }).click();
  const command = await page.getByRole('group', { name: 'agent command' }).getByRole('code').innerText();
  const token = /--token (\S+)/.exec(command)?.[1] ?? '';

  const distrusting = await devices.make(hub, token);
  const refused = await distrusting.attempt('device', 'id');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('its certificate is signed by nobody whom this machine trusts');

  const device = await devices.make(hub, token, { NODE_EXTRA_CA_CERTS: join(folder, 'tls', 'ca.pem') });
  const { deviceId } = await device.run().connected();
  await expect(page.getByText(`Connected: ${deviceId}`)).toBeVisible();
  await page.getByRole('link', { name: 'View device' }).click();
  const fingerprint = await device.call('certificate', 'fingerprint');
  await expect(
    page.getByRole('table', { name: 'Certificates' }).getByRole('button', { name: /^Copy certificate/ }),
  ).toHaveAttribute('title', fingerprint);
  await page.getByRole('table', { name: 'Certificates' }).getByText('Active').waitFor();
});
