import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Devices } from '../fixtures/agent.ts';
import { expect, test } from '../fixtures/command-line.ts';
import { expectAccessible } from '../fixtures/expect-accessible.ts';
import { newToken, type Operator, type ProjectOfTest } from '../fixtures/operator.ts';

interface Parts {
  readonly hub: { readonly url: string };
  readonly operator: Operator;
  readonly devices: Devices;
  readonly project: ProjectOfTest;
  readonly folder: string;
}

/** Connects a device with commands of the kit, which lists the folder `files`. */
async function connect({ hub, operator, devices, project, folder }: Parts, ...commands: string[]) {
  const [manifests, scripts, files] = ['commands', 'scripts', 'files'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const made of [manifests, files]) await mkdir(made);
  const { token } = await newToken(operator, project);
  const device = await devices.make(hub, token, {
    CORRAL_KIT_READABLE: join(folder, 'list'),
    CORRAL_KIT_WRITABLE: join(folder, 'list'),
  });
  await writeFile(join(folder, 'list'), `${files}\n`);
  await writeFile(
    join(folder, 'agent.toml'),
    `[commands]\nenabled = true\ndirectory = ${JSON.stringify(manifests)}\n`,
  );
  if (commands.length > 0)
    await device.call('kit', 'add', ...commands, '--manifests', manifests, '--scripts', scripts);
  const { deviceId } = await device.run('--config', join(folder, 'agent.toml')).connected();
  await expect
    .poll(async () => (await operator.invoke('devices_QueryCommands', { deviceId })).manifest.commands)
    .toHaveLength(commands.length);
  return { deviceId, files, path: `/projects/${project.projectId}/devices/${deviceId}` };
}

test('corral files fetches and puts a file, and says why not', async ({
  corral,
  corralJson,
  hub,
  operator,
  devices,
  project,
  folder,
}) => {
  const { projectId } = project;
  const { deviceId, files } = await connect(
    { hub, operator, devices, project, folder },
    'read-file',
    'write-file',
  );
  const content = randomBytes(2_500_000);
  await writeFile(join(folder, 'new.bin'), content);
  const put = ['files', 'put', deviceId, join(folder, 'new.bin'), join(files, 'press.bin')];
  const refused = await corral(...put);
  expect([refused.code, refused.stderr]).toEqual([
    3,
    expect.stringContaining('User tokens may not open terminals'),
  ]);
  const policy = {
    access: 'Owners',
    isReasonNeeded: false,
    approval: 'None',
    recording: 'BestEffort',
  } as const;
  await operator.invoke('projects_SetTerminalPolicy', { projectId, ...policy, allowsTokens: true });
  const digest = `sha256_${createHash('sha256').update(content).digest('hex')}`;
  expect(await corralJson(...put)).toEqual({
    path: join(files, 'press.bin'),
    sizeBytes: content.length,
    digest,
  });
  expect((await readFile(join(files, 'press.bin'))).equals(content)).toBe(true);
  expect(await readdir(files)).toEqual(['press.bin']);

  await mkdir(join(folder, 'here'));
  const got = await corral('files', 'get', deviceId, join(files, 'press.bin'), join(folder, 'here'));
  expect([got.code, got.stdout]).toEqual([0, expect.stringContaining('press.bin')]);
  expect((await readFile(join(folder, 'here/press.bin'))).equals(content)).toBe(true);
  // What an interrupted run left is taken up.
  const left = join(folder, 'here', `.again.bin.${digest.slice(7, 23)}.corral-part`);
  await writeFile(left, content.subarray(0, 1_500_000));
  await corralJson('files', 'get', deviceId, join(files, 'press.bin'), join(folder, 'here/again.bin'));
  expect((await readFile(join(folder, 'here/again.bin'))).equals(content)).toBe(true);
  expect((await readdir(join(folder, 'here'))).toSorted()).toEqual(['again.bin', 'press.bin']);

  const outside = await corral('files', 'get', deviceId, '/etc/passwd', join(folder, 'here'));
  expect([outside.code, outside.stderr]).toEqual([1, expect.stringContaining('/etc/passwd is not in')]);
  const { events } = await operator.invoke('projects_QueryAuditLog', { projectId });
  const transferred = events.filter(({ event }) => event === 'devices_FileTransferred');
  expect(transferred.map(({ data }) => data)).toMatchObject([
    { access: 'Read', sizeBytes: content.length, digest },
    { access: 'Read' },
    { access: 'Write', path: join(files, 'press.bin'), sizeBytes: content.length, digest },
  ]);
  expect(await operator.invoke('devices_QueryOperations', { deviceId })).toEqual({ operations: [] });
});

test('the page of a device fetches a file and puts one, and teaches how to add the commands', async ({
  signedIn: page,
  hub,
  operator,
  devices,
  project,
  folder,
  expectedConsoleErrors,
}) => {
  // The device refuses a file.
  expectedConsoleErrors.push(/status of 400/u);
  const parts = { hub, operator, devices, project, folder };
  const { files, path } = await connect(parts, 'read-file', 'write-file', 'collect-logs');
  await writeFile(join(files, 'press.log'), 'line 1\nline 2\n');
  await page.goto(`${path}?tab=terminal`);
  const card = page.locator('section', { has: page.getByRole('heading', { name: 'Files' }) });
  await card.getByLabel('Path on the device').fill(join(files, 'press.log'));
  const downloading = page.waitForEvent('download');
  await card.getByRole('button', { name: 'Fetch' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('press.log');
  expect(await readFile(await download.path(), 'utf8')).toBe('line 1\nline 2\n');
  await expect(card.getByRole('status')).toHaveText(`${join(files, 'press.log')} was fetched`);

  await card.getByLabel('Path on the device').fill(`${files}/`);
  const choosing = page.waitForEvent('filechooser');
  await card.getByRole('button', { name: 'Put a File …' }).click();
  const content = randomBytes(1_200_000);
  await (await choosing).setFiles({ name: 'press.conf', mimeType: 'text/plain', buffer: content });
  await expect(card.getByRole('status')).toHaveText(`${join(files, 'press.conf')} was put`);
  expect((await readFile(join(files, 'press.conf'))).equals(content)).toBe(true);

  await card.getByLabel('Path on the device').fill('/etc/passwd');
  await card.getByRole('button', { name: 'Fetch' }).click();
  await expect(card.getByRole('alert')).toContainText('/etc/passwd is not in');
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page);
  }
  await page.goto(`${path}?tab=operations`);
  await page.getByRole('combobox', { name: 'Command' }).click();
  await expect(page.getByRole('option')).toHaveText([/collect-logs/u]);
});

test('a device without the commands says how to add them', async ({
  signedIn: page,
  hub,
  operator,
  devices,
  project,
  folder,
}) => {
  const { path } = await connect({ hub, operator, devices, project, folder });
  await page.goto(`${path}?tab=terminal`);
  await expect(page.getByText('corral-agent kit add read-file write-file')).toBeVisible();
});
