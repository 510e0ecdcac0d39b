import { chmod, copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { launcher } from '../fixtures/agent.ts';
import { commandLineOf, mustSucceed } from '../fixtures/command-line.ts';
import { documentPicture } from '../fixtures/document-picture.ts';
import { startFleet } from '../fixtures/fleet.ts';
import { administrator } from '../fixtures/hub-process.ts';
import { newProject, newToken, signInByApi } from '../fixtures/operator.ts';
import { runProgram } from '../fixtures/program.ts';
import { expect, openSession, refusedWith, test } from '../fixtures/test.ts';

test.use({ viewport: { width: 1280, height: 720 } });

/** What the tour puts on its devices: the agent, the command `install` and a hook. */
async function prepareDevices(folder: string): Promise<string> {
  const agent = join(folder, 'corral-agent.mjs');
  await copyFile(launcher, agent);
  await writeFile(join(folder, 'hook'), '#!/bin/sh\ncat "$4/message.txt"\n');
  for (const path of [agent, join(folder, 'hook')]) await chmod(path, 0o755);
  const folders = ['--manifests', join(folder, 'commands'), '--scripts', join(folder, 'scripts')];
  mustSucceed(await runProgram(process.execPath, [agent, 'kit', 'add', 'install', ...folders], { env: {} }));
  const settings = '[commands]\nenabled = true\ndirectory = "commands"\n\n[operations]\nenabled = true\n';
  await writeFile(join(folder, 'tour.toml'), settings);
  return agent;
}

test('the tour: two devices, a version, its update previewed, done and taken back', async ({
  page,
  startHub,
  folder,
  devices,
  expectedConsoleErrors,
}, info) => {
  // The page of a draft may ask for its preview once more while it starts.
  expectedConsoleErrors.push(refusedWith(400));
  const hub = await startHub();
  await openSession(page, hub, administrator);
  await page.goto(`${hub.url}/projects`);
  await page.getByRole('button', { name: 'Create Project' }).click();
  const create = page.getByRole('dialog', { name: 'Create Project' });
  await create.getByLabel('Name (required)').fill('Plant');
  await create.getByRole('button', { name: 'Create Project' }).click();
  await page.getByRole('button', { name: 'Make token' }).click();
  const command = await page.getByRole('group', { name: 'agent command' }).getByRole('code').innerText();
  const [token = ''] = /deployment_\w+/u.exec(command) ?? [];

  const agent = await prepareDevices(folder);
  for (const pump of ['one', 'two']) {
    const kit = { CORRAL_KIT_HOOK: join(folder, 'hook'), CORRAL_KIT_ROOT: join(folder, pump) };
    const device = await devices.make(hub, token, { CORRAL_AGENT: agent, ...kit });
    await device.run('--config', join(folder, 'tour.toml')).connected();
  }
  await page
    .getByRole('navigation', { name: 'Project' })
    .getByRole('link', { name: /^Devices/u })
    .click();
  await expect(page.getByText('2 of 2 connected')).toBeVisible();
  await page.getByRole('checkbox', { name: 'Select all' }).check();
  await page.getByRole('button', { name: 'Rename' }).click();
  const rename = page.getByRole('dialog', { name: 'Rename 2 devices' });
  await rename.getByRole('textbox', { name: 'Pattern' }).fill('pump-{n}');
  await rename.getByRole('button', { name: /^Rename/u }).click();
  await expect(page.getByRole('link', { name: 'pump-2' })).toBeVisible();
  await page.reload();
  await expect(page.getByText('2 of 2 connected')).toBeVisible();
  await documentPicture(page, info, 'tour-devices');

  const corral = await commandLineOf(hub, folder);
  const manifest = join(folder, 'pump.toml');
  await writeFile(
    manifest,
    'repository = "tour"\npackage = "pump"\ntags = ["stable"]\nfiles = ["message.txt"]\n',
  );
  const publish = async (version: string) => {
    await writeFile(join(folder, 'message.txt'), `Pump software ${version}\n`);
    mustSucceed(await corral.run('publish', manifest, '--name', version));
  };
  mustSucceed(await corral.run('repositories', 'create', 'tour'));
  mustSucceed(await corral.run('repositories', 'link', 'tour', 'Plant'));
  await publish('1.0');
  const all = ['tour/pump@stable', '--project', 'Plant', '--on', 'all'];
  mustSucceed(await corral.run('install', ...all, '--stages', '100', '--yes'));
  await publish('1.1');

  await page
    .getByRole('navigation', { name: 'Project' })
    .getByRole('link', { name: /^Operations/u })
    .click();
  await page.getByRole('link', { name: 'New Operation' }).click();
  await page.getByRole('radio', { name: /^Install a version/u }).check();
  await page.getByRole('combobox', { name: 'Package' }).click();
  await page.getByRole('option', { name: /pump/u }).click();
  await page.getByRole('combobox', { name: 'Version' }).click();
  await page.getByRole('option', { name: /1\.1/u }).first().click();
  await page.getByRole('button', { name: 'all', exact: true }).click();
  await expect(page.getByRole('region', { name: 'What changes' })).toContainText('1.1');
  await documentPicture(page, info, 'tour-preview');
  await page.getByRole('button', { name: 'Start on 2 devices' }).click();

  await openNextStage(page);
  await expect(page.getByText('on 2 devices in')).toBeVisible();
  await page.reload();
  await expect(page.getByText('on 2 devices in')).toBeVisible();
  await documentPicture(page, info, 'tour-operation');

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Prepare an undo' }).click();
  await page.getByRole('button', { name: 'Start on 2 devices' }).click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Start/u })
    .click();
  // An undo does not rest between its stages.
  await expect(page.getByText('on 2 devices in')).toBeVisible();
  const { devices: found } = (await corral.json('devices', 'list', 'installed:tour/pump@1.0')) as {
    devices: unknown[];
  };
  expect(found).toHaveLength(2);
  await corral.end();
  // The hub stops before the page does.
  await page.goto('about:blank');
});

/** Opens the next stage of an operation when the present one has ended. */
async function openNextStage(page: Page): Promise<void> {
  const table = page.getByRole('table', { name: 'Devices of the operation' });
  await expect(table.getByText('Succeeded', { exact: true })).toHaveCount(1);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Open the next stage…' }).click();
  await page.getByRole('button', { name: 'Open the stage', exact: true }).click();
}

/** Of the devices in the picture of a fleet. */
const names = [
  'ferry',
  'pump-house',
  'yard',
  'weighbridge',
  'workshop',
  'cold-store',
  'mill',
  'orchard',
  'quay',
];

test('the picture of a fleet in the README and on the first page of the documentation', async ({
  page,
  startHub,
}, info) => {
  // Up to the end of the list.
  await page.setViewportSize({ width: 1280, height: 670 });
  const hub = await startHub();
  const operator = await signInByApi(hub);
  const project = await newProject(operator, 'Plant');
  const [{ token }, approval] = await Promise.all([
    newToken(operator, project),
    newToken(operator, project, { name: 'needs approval', autoAccept: false }),
  ]);
  const fleet = await startFleet(hub, { token, approvalToken: approval.token, devices: names.length + 1 });
  await openSession(page, hub, administrator);
  await page.goto(`${hub.url}/projects/${project.projectId}/devices`);
  await expect(page.getByText(`${names.length} of ${names.length + 1} connected`)).toBeVisible();
  const { devices } = await operator.invoke('projects_QueryProjectDevices', {
    projectId: project.projectId,
    filter: 'connected',
  });
  for (const [index, { deviceId }] of devices.entries())
    await operator.invoke('devices_SetDeviceName', { deviceId, name: names[index] ?? '' });
  await page.reload();
  await expect(page.getByRole('link', { name: names.at(-1) ?? '' })).toBeVisible();
  await documentPicture(page, info, 'devices');
  await page.emulateMedia({ colorScheme: 'dark' });
  await documentPicture(page, info, 'devices-dark');
  await page.goto('about:blank');
  await fleet.end();
});
