import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { commandLineOf } from '../fixtures/command-line.ts';
import { newProject, newToken } from '../fixtures/operator.ts';
import { expect, test as base, useSession } from '../fixtures/test.ts';
import { missingForTwoHubs, startTwoHubs, type TwoHubs } from '../fixtures/two-hubs.ts';

const test = base.extend<{ readonly hubs: TwoHubs }>({
  hubs: async ({}, use) => {
    const missing = missingForTwoHubs();
    if (missing !== undefined) base.skip(true, missing);
    const hubs = await startTwoHubs();
    await use(hubs);
    await hubs.end();
  },
  baseURL: async ({ hubs }, use) => use(hubs.urlOf(hubs.people)),
});

const screen = (page: Page) => page.locator('.xterm-rows');
const isAlive = (pid: string): boolean => existsSync(`/proc/${pid}`);

/** Types a command, and waits for what it says; no command has the words of its answer. */
async function says(page: Page, command: string, answer: string): Promise<void> {
  await page.keyboard.type(`${command}\n`);
  await expect(screen(page)).toContainText(answer);
}

/** Waits until the tab says that its connection was lost, and then no longer. */
async function comesBack(page: Page): Promise<void> {
  const lost = page.getByText('The connection was lost. It comes back by itself.');
  await expect(lost).toBeVisible();
  await expect(lost).toBeHidden();
}

test('[needs NATS] a terminal goes on through the other hub when the one of its tab is killed, and ends with its recording when the one of its device is', async ({
  hubs,
  page,
  devices,
  folder,
  expectedConsoleErrors,
}) => {
  // What was under way to a hub that is killed.
  expectedConsoleErrors.push(/Failed to load resource/, /ERR_/, /WebSocket connection/);
  const address = { url: hubs.urlOf(hubs.people) };
  const cli = await commandLineOf(address, folder);
  const { operator } = cli;
  const project = await newProject(operator);
  const { projectId } = project;
  await operator.invoke('projects_SetTerminalPolicy', {
    projectId,
    access: 'Owners',
    isReasonNeeded: false,
    approval: 'None',
    recording: 'BestEffort',
    allowsTokens: true,
  });
  const config = join(folder, 'agent.toml');
  await writeFile(config, '[terminal]\nenabled = true\nshell = "/bin/sh"\n');
  const { token } = await newToken(operator, project);
  const device = await devices.make({ url: hubs.urlOf(hubs.devices) }, token);
  const agent = device.run('--config', config);
  const { deviceId } = await agent.connected();
  const access = async () => (await operator.invoke('devices_GetTerminalAccess', { deviceId })).status;
  await expect.poll(access).toBe('Ready');
  const terminals = async () => (await operator.invoke('devices_QueryTerminals', { deviceId })).terminals;

  await useSession(page, address, operator.cookie);
  await page.goto(`/projects/${projectId}/devices/${deviceId}?tab=terminal`);
  await page.getByRole('button', { name: 'Open Terminal' }).click();
  await expect(screen(page)).toContainText(/[#$]/u);
  await says(page, 'echo first$((40 + 2))', 'first42');
  await page.keyboard.type(`echo $$ > ${folder}/tab.pid; echo pid$((1 + 1))\n`);
  await expect(screen(page)).toContainText('pid2');
  const typed = cli.start('terminal', deviceId);
  typed.process.stdin?.write(`echo $$ > ${folder}/cli.pid; echo line$((1 + 1))\n`);
  await typed.waitForLine(/line2/);

  // The hub of the tab and of the command line.
  hubs.lead(hubs.people, 'north');
  const lostAtMs = performance.now();
  await hubs.kill('south');
  await typed.waitForLine(/the connection was lost and comes back by itself/);
  await comesBack(page);
  await says(page, 'echo second$((40 + 3))', 'second43');
  const backMs = performance.now() - lostAtMs;
  expect(backMs).toBeLessThan(60_000);
  test.info().annotations.push({ type: 'milliseconds to come back', description: backMs.toFixed(0) });
  await expect(screen(page)).toContainText('first42');

  await hubs.start('south');
  hubs.lead(hubs.people, 'south');
  await hubs.people.cut();
  await hubs.people.restore();
  await comesBack(page);
  await says(page, 'echo third$((40 + 4))', 'third44');
  const recorded = async () => (await terminals()).map(({ recordedBytes }) => recordedBytes ?? 0);
  const [, before = 0] = await recorded();
  await says(page, 'echo kept$((40 + 5))', 'kept45');
  await expect.poll(async () => (await recorded())[1] ?? 0).toBeGreaterThan(before);
  const shells = await Promise.all(
    ['tab', 'cli'].map((name) => readFile(join(folder, `${name}.pid`), 'utf8')),
  );
  const pids = shells.map((text) => text.trim());
  expect(pids.map(isAlive)).toEqual([true, true]);

  // The hub of the device.
  hubs.lead(hubs.devices, 'south');
  await hubs.kill('north');
  await expect(page.getByText('The hub that served the session stopped.')).toBeVisible();
  await typed.waitForLine(/The hub that served the session stopped\./);
  await expect.poll(() => pids.map(isAlive)).toEqual([false, false]);
  await agent.connectedAgain();
  await expect
    .poll(async () => (await terminals()).map(({ endReason }) => endReason))
    .toEqual(['HubStopped', 'HubStopped']);
  const [, { sessionId } = { sessionId: '' }] = await terminals();
  const played = await cli.run('terminal', 'play', sessionId, '--speed', '100');
  expect(played.code, played.stderr).toBe(0);
  for (const word of ['first42', 'second43', 'third44', 'kept45']) expect(played.stdout).toContain(word);

  await expect.poll(access).toBe('Ready');
  await page.getByRole('button', { name: 'Open Again' }).click();
  await page.getByRole('button', { name: 'Open Terminal' }).click();
  await expect(screen(page)).toContainText(/[#$]/u);
  await says(page, 'echo again$((40 + 6))', 'again46');
});
