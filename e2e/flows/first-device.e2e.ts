import { mkdtemp, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { newToken, uniqueName } from '../fixtures/operator.ts';
import { startProgram } from '../fixtures/program.ts';
import { expect, test } from '../fixtures/test.ts';

test('"First device": a new user creates a project, makes a token, pastes one command, and sees the device connect', async ({
  signedIn: page,
}) => {
  const name = uniqueName('First project');
  await page.goto('/projects');
  await page.getByRole('button', { name: 'Create Project' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create Project' });
  await dialog.getByLabel('Name (required)').fill(name);
  await dialog.getByRole('button', { name: 'Create Project' }).click();
  await expect(page).toHaveURL(/\/projects\/p_\w+\/devices$/);

  const onboarding = page.getByRole('region', { name: 'Connect your first device' });
  await onboarding.getByRole('button', { name: 'Make token' }).click();
  const command = await onboarding
    .getByRole('group', { name: 'agent command' })
    .getByRole('code')
    .innerText();
  await expect(onboarding.getByText('Waiting for a device…')).toBeVisible();

  const folder = await mkdtemp(join(tmpdir(), 'corral-e2e-device-'));
  const shell = startProgram('bash', ['-c', command], {
    cwd: folder,
    isGroup: true,
    env: {
      PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
      CORRAL_AGENT_STATE: join(folder, 'state'),
    },
  });
  try {
    // A device without a name is shown by the hostname that it reports once it is connected.
    await expect(onboarding.getByText(`Connected: ${hostname()}`)).toBeVisible();
    await expect(page.getByText('1 of 1 connected')).toBeVisible();
    await onboarding.getByRole('link', { name: 'View device' }).click();
    await expect(page).toHaveURL(/\/devices\/d_\w+$/);
    await expect(page.getByText('Connected', { exact: true }).first()).toBeVisible();
    await expect(page.getByRole('term').filter({ hasText: 'Hostname' })).toBeVisible();
    await expect(page.getByRole('table', { name: 'Certificates' }).getByText('Active')).toBeVisible();
  } finally {
    await shell.stop();
    await rm(folder, { recursive: true, force: true });
  }
});

test('a link to another page asks first while the token of the first device is shown and not used', async ({
  signedIn: page,
  project,
}) => {
  await page.goto(`/projects/${project.projectId}/devices`);
  const onboarding = page.getByRole('region', { name: 'Connect your first device' });
  await onboarding.getByRole('button', { name: 'Make token' }).click();
  const command = onboarding.getByRole('group', { name: 'agent command' });
  await expect(command).toBeVisible();
  const members = page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: /^Members/ });
  await members.click();
  const question = page.getByRole('alertdialog', { name: 'Leave without the secret' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toBeHidden();
  await expect(command).toBeVisible();
  await members.click();
  await question.getByRole('button', { name: 'Leave' }).click();
  await expect(page).toHaveURL(`/projects/${project.projectId}/members`);
});

test('a device that connects shows Connected in the list within two seconds after its socket opened', async ({
  signedIn: page,
  hub,
  operator,
  project,
  devices,
}) => {
  const { token } = await newToken(operator, project);
  const device = await devices.make(hub, token);
  const agent = device.run();
  const { deviceId } = await agent.connected();
  await agent.stop();
  await page.goto(`/projects/${project.projectId}/devices`);
  const table = page.getByRole('table', { name: 'Devices' });
  await table.getByText('Disconnected').waitFor();
  device.run();
  await table.getByText('Connected', { exact: true }).waitFor();
  const shownAtMs = Date.now();
  const { connections } = await operator.invoke('devices_GetDeviceDetails', { deviceId });
  const tookMs = shownAtMs - Date.parse(connections[0]?.connectedAt ?? '');
  test.info().annotations.push({ type: 'connect to pixel', description: `${tookMs} ms` });
  expect(tookMs).toBeGreaterThan(0);
  expect(tookMs).toBeLessThan(2_000);
});

test('a device that disconnects cleanly shows Disconnected within two seconds', async ({
  signedIn: page,
  hub,
  operator,
  project,
  devices,
}) => {
  const { token } = await newToken(operator, project);
  const device = await devices.make(hub, token);
  const agent = device.run();
  await agent.connected();
  await page.goto(`/projects/${project.projectId}/devices`);
  const table = page.getByRole('table', { name: 'Devices' });
  await table.getByText('Connected', { exact: true }).waitFor();
  const stopped = agent.stop();
  const { atMs } = await agent.waitForLine(/"msg":"stopped"/).then(() => ({ atMs: Date.now() }));
  await table.getByText('Disconnected').waitFor();
  expect(Date.now() - atMs).toBeLessThan(2_000);
  expect(await stopped).toBe(0);
});
