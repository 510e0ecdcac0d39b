import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Page } from '@playwright/test';
import { freePort } from '@corral/tools';
import { launcher } from '../fixtures/agent.ts';
import { cliLauncher, expect, test } from '../fixtures/command-line.ts';
import { startFailingCalls } from '../fixtures/failing-calls.ts';
import { runProgram, startProgram } from '../fixtures/program.ts';
import { refusedWith } from '../fixtures/test.ts';
import { startWaitingAgents } from '../fixtures/waiting-agents.ts';

async function violations(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(`${axe.source}; undefined`);
  return page.evaluate<string[]>(
    `axe.run(document.body).then(({ violations }) => violations.map(({ id }) => id))`,
  );
}

async function agentThatWaits(folder: string) {
  const config = join(folder, 'agent.toml');
  await writeFile(config, `data-path = "state"\n[provisioning]\nenabled = true\nbind = "127.0.0.1:0"\n`);
  return config;
}

test('"Pair device": a key from the console reaches an agent that waits, which connects, and the dialog says so', async ({
  signedIn: page,
  project,
  folder,
}) => {
  await page.goto(`/projects/${project.projectId}/devices`);
  await page.getByRole('button', { name: 'Pair device' }).click();
  const dialog = page.getByRole('dialog', { name: 'Pair a device' });
  await dialog.getByLabel('Device name').fill('Pump 1');
  await dialog.getByRole('button', { name: 'Make key' }).click();
  const value = await dialog.getByRole('group', { name: 'pairing key' }).getByRole('code').innerText();
  await expect(dialog.getByRole('timer')).toHaveText(/^Valid for 4:\d\d$/);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await violations(page)).toEqual([]);
  }
  const config = await agentThatWaits(folder);
  const agent = startProgram(process.execPath, [launcher, '--config', config, 'run']);
  try {
    const [, port] = await agent.waitForLine(/waits to be paired: POST \/pair on 127\.0\.0\.1:(\d+)/);
    const answer = await fetch(`http://127.0.0.1:${port}/pair`, { method: 'POST', body: value });
    expect([answer.status, await answer.text()]).toEqual([200, 'paired\n']);
    await expect(dialog.getByText('Connected: Pump 1')).toBeVisible();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await violations(page)).toEqual([]);
    }
    await dialog.getByRole('link', { name: 'View device' }).click();
    await expect(page.getByRole('heading', { name: 'Pump 1' })).toBeVisible();
    await expect(page.getByRole('table', { name: 'Certificates' }).getByText('Active')).toBeVisible();
  } finally {
    await agent.stop();
  }
});

test('an open key is revoked in the dialog, and no device can use it', async ({
  signedIn: page,
  hub,
  operator,
  project,
}) => {
  const { pairingKey, selector } = await operator.invoke('projects_CreateDevicePairingKey', {
    projectId: project.projectId,
  });
  await page.goto(`/projects/${project.projectId}/devices`);
  await page.getByRole('button', { name: 'Pair device' }).click();
  const keys = page.getByRole('dialog').getByRole('region', { name: 'Open keys' });
  await keys.getByRole('button', { name: `Revoke ${selector}` }).click();
  await expect(keys.getByText('No other key is open.')).toBeVisible();
  // As the agent of 2026-08 posts it.
  const answer = await fetch(`${hub.url}/api/v1/actions/invoke/projects_RedeemDevicePairingKey`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ pairingKey, fingerprint: `d_sk_${'7'.repeat(44)}`, deviceName: 'pump' }),
  });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toEqual({
    kind: 'Invalid',
    message: expect.stringMatching(/^The pairing key is not valid/),
  });
});

test('`pair.sh` configures an agent that cannot be paired, and its device connects', async ({
  hub,
  operator,
  project,
  folder,
}) => {
  const { projectId } = project;
  const { pairingKey } = await operator.invoke('projects_CreateDevicePairingKey', { projectId });
  const config = join(folder, 'agent.toml');
  await writeFile(config, 'data-path = "state"\n');
  const line = `curl -fsS ${hub.url}/pair.sh | sh -s ${pairingKey} --config ${config}`;
  const { code, stderr } = await runProgram('sh', ['-c', line]);
  expect([code, stderr]).toEqual([0, expect.stringContaining(`Wrote ${config}.`)]);
  expect(await readFile(config, 'utf8')).toContain(`hub-url = "${hub.url}"`);
  const agent = startProgram(process.execPath, [launcher, '--config', config, '--log-format', 'json', 'run']);
  try {
    const [, deviceId] = await agent.waitForLine(/connected to .* as (d_\w+)/);
    const { tokens } = await operator.invoke('projects_QueryProjectDeploymentTokens', { projectId });
    expect(tokens).toMatchObject([{ deviceId, uses: 1 }]);
  } finally {
    await agent.stop();
  }
});

test('`corral pair --scan` pairs a hundred devices of a network within a minute', async ({
  hub,
  operator,
  project,
  folder,
  corral,
}) => {
  test.setTimeout(120_000);
  const { projectId } = project;
  const agents = await startWaitingAgents(hub, 100, folder);
  try {
    const names = join(folder, 'names.csv');
    await writeFile(
      names,
      `127.0.0.7,Valve seven\n${agents.fingerprintIdOf('127.0.0.8')},"Valve ""eight"""\n`,
    );
    const options = ['--project', projectId, '--scan', '127.0.0.0/24', '--port', String(agents.port)];
    const startedAtMs = performance.now();
    const { code, stdout, stderr } = await corral('pair', ...options, '--names', names);
    const seconds = (performance.now() - startedAtMs) / 1_000;
    test.info().annotations.push({ type: 'seconds', description: seconds.toFixed(1) });
    expect(stderr).toContain('100 agents ready to be paired.');
    expect(stdout.match(/● connected/g)).toHaveLength(100);
    expect(code).toBe(0);
    expect(stdout).toMatch(/127\.0\.0\.7 +Valve seven +● connected/);
    expect(stdout).toMatch(/127\.0\.0\.8 +Valve "eight" +● connected/);
    const { deviceCount, connectedDeviceCount } = await operator.invoke('projects_GetProjectDetails', {
      projectId,
    });
    expect([deviceCount, connectedDeviceCount]).toEqual([100, 100]);
  } finally {
    await agents.end();
  }
});

/** Ten agents as devices run them, each at an address of its own. */
async function startTenAgents(folder: string, port: number) {
  const hosts = Array.from({ length: 10 }, (_, index) => `127.0.1.${index + 1}`);
  const agents = await Promise.all(
    hosts.map(async (host) => {
      const config = join(folder, `${host}.toml`);
      const provisioning = `[provisioning]\nenabled = true\nbind = "${host}:${port}"\n`;
      await writeFile(config, `data-path = "state-${host}"\n${provisioning}`);
      const args = [launcher, '--config', config, '--log-format', 'json', 'run'];
      const agent = startProgram(process.execPath, args);
      await agent.waitForLine(/waits to be paired/);
      return agent;
    }),
  );
  return { hosts, stop: () => Promise.all(agents.map((agent) => agent.stop())) };
}

test('`corral pair` pairs ten agents by one command, whatever fails of one of them, and says which names fit no device', async ({
  hub,
  operator,
  project,
  folder,
  cliEnv,
}) => {
  const { projectId } = project;
  const port = await freePort();
  const agents = await startTenAgents(folder, port);
  // One gets no key, and the name of another cannot be read.
  await using failing = await startFailingCalls(hub, {
    projects_CreateDevicePairingKey: 4,
    devices_GetDeviceDetails: 2,
  });
  const names = join(folder, 'names.csv');
  const [first = '', second = ''] = agents.hosts;
  await writeFile(names, `${first}:${port},Press 1\n${second},Press 2\n127.0.1.77:${port},Nobody\n`);
  const pair = (env: Record<string, string>) =>
    runProgram(
      process.execPath,
      [
        cliLauncher,
        'pair',
        '--project',
        projectId,
        '--scan',
        '127.0.1.0/28',
        '--port',
        `${port}`,
        '--names',
        names,
      ],
      { env: { ...cliEnv, ...env } },
    );
  const devicesOf = async () =>
    (await operator.invoke('projects_QueryProjectDevices', { projectId })).devices;
  try {
    const { code, stdout, stderr } = await pair({ CORRAL_URL: failing.url });
    expect(stderr).toContain('10 agents ready to be paired.');
    expect(stderr).toContain(`Of the names, no device was found for 127.0.1.77:${port}.`);
    expect(stderr).toContain('1 of 10 agents did not connect.');
    expect(stdout.match(/● connected/g)).toHaveLength(9);
    expect(stdout.match(/● connected, not named: Internal: Something went wrong\./g)).toHaveLength(1);
    expect(stdout.match(/✗ Internal: Something went wrong\./g)).toHaveLength(1);
    expect(code).toBe(1);
    const again = await pair({});
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('● connected')]);
    await expect.poll(async () => (await devicesOf()).filter((device) => device.isConnected).length).toBe(10);
    expect((await devicesOf()).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['Press 1', 'Press 2']),
    );
  } finally {
    await agents.stop();
  }
});

test('no page of a browser pairs an agent, of another site or under a name that leads to the agent', async ({
  signedIn: page,
  hub,
  operator,
  project,
  folder,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(
    refusedWith(403),
    /blocked by CORS|Request mode is|Content Security Policy|ERR_/,
  );
  const { projectId } = project;
  const { value } = await operator.invoke('projects_CreateDevicePairingKey', { projectId });
  const config = await agentThatWaits(folder);
  const agent = startProgram(process.execPath, [launcher, '--config', config, 'run']);
  try {
    const [, port] = await agent.waitForLine(/waits to be paired: POST \/pair on 127\.0\.0\.1:(\d+)/);
    // A name of a page that was made to lead to the agent meanwhile.
    await page.goto(`http://plain.example:${port}/`);
    const post = (url: string) =>
      page.evaluate(
        async ([target = '', body = '']) => {
          const answers: (number | string)[] = [];
          for (const mode of ['same-origin', 'no-cors', 'cors'] as const)
            answers.push(
              await fetch(target, { method: 'POST', body, mode }).then(
                ({ status }) => status,
                () => 'refused',
              ),
            );
          navigator.sendBeacon(target, body);
          return answers;
        },
        [url, value],
      );
    expect(await post(`http://plain.example:${port}/pair`)).toEqual([403, 403, 403]);
    // Opaque, so that the page cannot read it.
    expect(await post(`http://127.0.0.1:${port}/pair`)).toEqual(['refused', 0, 'refused']);
    await page.setContent(
      `<form method="post" enctype="text/plain" action="http://127.0.0.1:${port}/pair"><input name="${value}"></form>`,
    );
    await page.evaluate(() => document.forms[0]?.submit());
    await page.waitForURL(/\/pair$/);
    await expect(page.getByText('Pages in a browser cannot pair this device.')).toBeVisible();
    await page.goto(hub.url);
    const { pairingKeys } = await operator.invoke('projects_QueryDevicePairingKeys', { projectId });
    expect(pairingKeys).toMatchObject([{ tries: 0 }]);
    expect(agent.output()).not.toContain('was not paired');
  } finally {
    await agent.stop();
  }
});

test('`corral pair` says of an address that nobody there waits, and scans no network that is too large', async ({
  project,
  corral,
}) => {
  const nobody = await corral('pair', '--project', project.projectId, '--address', '127.0.0.1:1');
  expect([nobody.code, nobody.stdout]).toEqual([
    1,
    expect.stringContaining('✗ no agent there waits to be paired'),
  ]);
  const wide = await corral('pair', '--project', project.projectId, '--scan', '10.0.0.0/8');
  expect([wide.code, wide.stderr]).toEqual([
    2,
    expect.stringContaining('a network to scan may be /20 at most'),
  ]);
});
