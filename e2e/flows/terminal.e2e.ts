import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Id } from '@corral/contract';
import type { Browser, Page } from '@playwright/test';
import type { Devices, RunningAgent } from '../fixtures/agent.ts';
import { cliLauncher, expect, test } from '../fixtures/command-line.ts';
import { CuttingRelay } from '../fixtures/cutting-relay.ts';
import { expectAccessible } from '../fixtures/expect-accessible.ts';
import { newToken, newUser, signInByApi, type Operator, type ProjectOfTest } from '../fixtures/operator.ts';
import { startProgram } from '../fixtures/program.ts';
import { useSession } from '../fixtures/test.ts';

/** Connects a device whose agent allows terminals with a plain shell. */
async function connectWithTerminal(parts: {
  readonly hub: { readonly url: string };
  readonly operator: Operator;
  readonly devices: Devices;
  readonly project: ProjectOfTest;
  readonly folder: string;
}): Promise<{ agent: RunningAgent; deviceId: `d_${string}`; path: string }> {
  const { hub, operator, devices, project, folder } = parts;
  const config = join(folder, 'agent.toml');
  await writeFile(config, '[terminal]\nenabled = true\nshell = "/bin/sh"\n');
  const { token } = await newToken(operator, project);
  const device = await devices.make(hub, token);
  const agent = device.run('--config', config);
  const { deviceId } = await agent.connected();
  const access = () => operator.invoke('devices_GetTerminalAccess', { deviceId });
  await expect.poll(async () => (await access()).status).toBe('Ready');
  return { agent, deviceId, path: `/projects/${project.projectId}/devices/${deviceId}` };
}

/** A page of another owner of the project, in a browser of its own. */
async function pageOfSecondOwner({
  browser,
  hub,
  operator,
  projectId,
}: {
  readonly browser: Browser;
  readonly hub: { readonly url: string };
  readonly operator: Operator;
  readonly projectId: Id<'project'>;
}): Promise<Page> {
  const other = await newUser(operator);
  await operator.invoke('projects_AddProjectMember', { projectId, userId: other.userId });
  await operator.invoke('projects_SetProjectMemberRole', { projectId, userId: other.userId, isOwner: true });
  const session = await signInByApi(hub, other);
  const page = await (await browser.newContext({ baseURL: hub.url })).newPage();
  await useSession(page, hub, session.cookie);
  return page;
}

const setPolicy = (operator: Operator, projectId: Id<'project'>, approval: 'None' | 'Approve' | 'Watch') =>
  operator.invoke('projects_SetTerminalPolicy', {
    projectId,
    access: 'Owners',
    isReasonNeeded: false,
    approval,
    recording: 'Required',
    allowsTokens: true,
  });

const screen = (page: Page) => page.locator('.xterm-rows');

async function expectAccessibleInBothThemes(page: Page): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page);
  }
}

test('a terminal is opened, typed in, resized, found again after a reload, watched and ended by another owner, and played', async ({
  signedIn: page,
  browser,
  hub,
  operator,
  devices,
  project,
  folder,
}) => {
  const { projectId } = project;
  const { deviceId, path } = await connectWithTerminal({ hub, operator, devices, project, folder });
  await page.goto(`${path}?tab=terminal`);
  await expect(page.getByRole('heading', { name: 'Open a terminal' })).toBeVisible();
  await expectAccessibleInBothThemes(page);
  await page.getByRole('button', { name: 'Open Terminal' }).click();
  await expect(screen(page)).toContainText(/[#$]/u);
  await page.keyboard.type('echo $((40 + 2)) $TERM\n');
  await expect(screen(page)).toContainText('42 xterm-256color');
  await expectAccessibleInBothThemes(page);

  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.keyboard.type('clear; [ $(tput cols) -lt 60 ] && echo narrow$((1 + 1))\n');
  await expect(screen(page)).toContainText('narrow2');
  await page.setViewportSize({ width: 1280, height: 900 });

  await page.keyboard.press('Control+Shift+ArrowDown');
  await expect(page.getByText('leaves the terminal')).toBeFocused();
  await page.reload();
  await expect(screen(page)).toContainText('narrow2');

  const watching = await pageOfSecondOwner({ browser, hub, operator, projectId });
  await watching.goto(`/projects/${projectId}/terminals`);
  await watching.getByRole('button', { name: /^Actions for/u }).click();
  await watching.getByRole('menuitem', { name: 'Watch' }).click();
  await expect(screen(watching)).toContainText('narrow2');
  await expect(watching.getByText('You watch: what you type is not sent.')).toBeVisible();
  await expect(page.getByRole('list', { name: 'In this terminal' })).toContainText('watches');
  await watching.keyboard.type('echo from watcher\n');
  await page.keyboard.type('echo $((50 + 1))\n');
  await expect(screen(watching)).toContainText('51');
  await expect(screen(watching)).not.toContainText('watcher');
  await expectAccessibleInBothThemes(watching);
  await watching.getByRole('button', { name: 'End Terminal' }).click();
  await watching.getByRole('alertdialog').getByRole('button', { name: 'End Terminal' }).click();
  await expect(page.getByText('Somebody ended the session.')).toBeVisible();
  await expectAccessible(page);
  await watching.context().close();

  await page.getByRole('link', { name: 'Play Recording' }).click();
  await page.getByRole('button', { name: 'Play Recording' }).click();
  await page.getByRole('slider', { name: 'Position' }).press('End');
  await expect(screen(page)).toContainText('51');
  await expectAccessibleInBothThemes(page);
  const { terminals } = await operator.invoke('devices_QueryTerminals', { deviceId });
  expect(terminals).toMatchObject([{ state: 'Ended', endReason: 'Closed', isRecorded: true }]);
});

test('a second owner approves a terminal, and of another one sees what is typed', async ({
  signedIn: page,
  browser,
  hub,
  operator,
  devices,
  project,
  folder,
}) => {
  const { projectId } = project;
  const { deviceId, path } = await connectWithTerminal({ hub, operator, devices, project, folder });
  await setPolicy(operator, projectId, 'Approve');
  const second = await pageOfSecondOwner({ browser, hub, operator, projectId });
  await page.goto(`${path}?tab=terminal`);
  await page.getByRole('button', { name: 'Ask for a Terminal' }).click();
  await expect(page.getByText('Waits for approval')).toBeVisible();
  await second.goto(`/projects/${projectId}/terminals`);
  await second.getByRole('button', { name: /^Actions for/u }).click();
  await second.getByRole('menuitem', { name: 'Approve' }).click();
  await second.getByRole('alertdialog').getByRole('button', { name: 'Approve' }).click();
  await expect(screen(page)).toContainText(/[#$]/u);
  await page.keyboard.type('echo $((30 + 1)); exit\n');
  await expect(screen(page)).toContainText('31');
  await expect(page.getByText('Exit status 0.')).toBeVisible();

  await setPolicy(operator, projectId, 'Watch');
  await page.goto(`${path}?tab=terminal`);
  await page.getByRole('button', { name: 'Open Terminal' }).click();
  await expect(page.getByText('An owner of the project has to watch while you type.')).toBeVisible();
  await page.keyboard.type('echo $((60 + 1)) $(tput cols)\n');
  const { terminals } = await operator.invoke('devices_QueryTerminals', { deviceId, state: 'Open' });
  await second.setViewportSize({ width: 820, height: 900 });
  await second.goto(`/projects/${projectId}/terminals/${terminals[0]?.sessionId}`);
  await expect(screen(page)).toContainText(/61 \d+/u);
  await expect(page.getByText('An owner of the project has to watch')).toBeHidden();
  await expect(screen(second)).toContainText(/61 \d+/u);
  // The screen of who watches is as large as that of who types.
  const rows = (of: Page) => screen(of).locator('> div').count();
  expect(await rows(second)).toBe(await rows(page));
  expect(await second.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(820);
  await expectAccessible(second);
  await second.context().close();
  await expect(page.getByText('An owner of the project has to watch while you type.')).toBeVisible();
});

test('corral terminal on a real terminal follows its size, enters again when the connection is cut, and leaves by ~.', async ({
  cliEnv,
  hub,
  operator,
  devices,
  project,
  folder,
}) => {
  const { deviceId } = await connectWithTerminal({ hub, operator, devices, project, folder });
  await setPolicy(operator, project.projectId, 'None');
  const relay = await CuttingRelay.start(Number(new URL(hub.url).port));
  const command = `tty; stty rows 30 cols 100; exec ${process.execPath} ${cliLauncher} terminal ${deviceId}`;
  const env = { ...cliEnv, CORRAL_URL: relay.url, TERM: 'xterm', SHELL: '/bin/sh' };
  const program = startProgram('script', ['-q', '-e', '-c', command, '/dev/null'], { env });
  const type = (text: string) => program.process.stdin?.write(text);
  const [, tty = ''] = await program.waitForLine(/^(\/dev\/pts\/\d+)/u);
  type('echo size $(stty size) $((1 + 1))\r');
  await program.waitForLine(/size 30 100 2/u);
  const resized = startProgram('stty', ['-F', tty, 'rows', '20', 'cols', '70']);
  await resized.waitForLine(/never/u).catch(() => undefined);
  await expect(async () => {
    type('echo size $(stty size) $((1 + 2))\r');
    expect(program.output()).toMatch(/size 20 70 3/u);
  }).toPass();
  relay.cut();
  await program.waitForLine(/the connection was lost and comes back by itself/u);
  await expect(async () => {
    type('echo again $((1 + 3))\r');
    expect(program.output()).toMatch(/again 4/u);
  }).toPass();
  type('\r~.');
  await program.waitForLine(/You left, and the terminal was ended\./u);
  await expect.poll(() => program.process.exitCode).toBe(0);
  await relay.close();
});

test('corral terminal types into a shell, and ends with its status; play shows it again', async ({
  corral,
  corralJson,
  hub,
  operator,
  devices,
  project,
  folder,
}) => {
  const { projectId } = project;
  const { deviceId } = await connectWithTerminal({ hub, operator, devices, project, folder });
  expect((await corral('terminal', deviceId)).stderr).toMatch(/token/u);
  await setPolicy(operator, projectId, 'None');
  const ended = await corral('terminal', deviceId);
  // Its standard input is empty, so the shell gets the end of it at once.
  expect(ended.code).toBe(0);
  const { terminals } = (await corralJson('terminal', 'list', '--project', projectId, '--all')) as {
    terminals: { sessionId: string; state: string }[];
  };
  expect(terminals).toMatchObject([{ state: 'Ended' }]);
  const played = await corral('terminal', 'play', terminals[0]?.sessionId ?? '', '--speed', '100');
  expect(played.code).toBe(0);
  expect(played.stdout).toMatch(/[#$]/u);
});
