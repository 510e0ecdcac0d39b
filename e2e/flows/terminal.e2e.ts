import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { Devices, RunningAgent } from '../fixtures/agent.ts';
import { expect, test } from '../fixtures/command-line.ts';
import { expectAccessible } from '../fixtures/expect-accessible.ts';
import { newToken, newUser, signInByApi, type Operator, type ProjectOfTest } from '../fixtures/operator.ts';
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

  const other = await newUser(operator);
  await operator.invoke('projects_AddProjectMember', { projectId, userId: other.userId });
  await operator.invoke('projects_SetProjectMemberRole', { projectId, userId: other.userId, isOwner: true });
  const session = await signInByApi(hub, other);
  const watching = await (await browser.newContext({ baseURL: hub.url })).newPage();
  await useSession(watching, hub, session.cookie);
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
  const policy = {
    access: 'Owners',
    isReasonNeeded: false,
    approval: 'None',
    recording: 'Required',
  } as const;
  await operator.invoke('projects_SetTerminalPolicy', { projectId, ...policy, allowsTokens: true });
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
