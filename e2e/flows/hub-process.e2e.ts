import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createDevices, type Devices } from '../fixtures/agent.ts';
import { connectDevice } from '../fixtures/connected-device.ts';
import { newDataDir, removeFolder } from '../fixtures/folders.ts';
import { administrator, runHub, startHubProcess, type HubProcess } from '../fixtures/hub-process.ts';
import { newProject, newToken, signInByApi } from '../fixtures/operator.ts';
import { expect, openSession, refusedWith, test } from '../fixtures/test.ts';

/** The one sentence that a failed start prints for the operator; never a stack trace. */
function messageOf({ code, stdout, stderr }: Awaited<ReturnType<typeof runHub>>): string {
  expect(code).toBe(1);
  expect(`${stdout}${stderr}`).not.toMatch(/^\s+at /m);
  const lines = stderr.trim().split('\n');
  expect(lines).toHaveLength(1);
  return lines[0] ?? '';
}

test('"a bad value": a database URL of another kind is refused in one sentence without its password, exit 1', async ({
  folder,
}) => {
  const sentence = messageOf(
    await runHub(folder, { CORRAL_DATABASE_URL: 'mysql://secret-word@server/database' }),
  );
  expect(sentence).toContain('CORRAL_DATABASE_URL');
  expect(sentence).not.toContain('secret-word');
  expect(await readdir(folder)).toEqual([]);
});

test('"--help lists every key with its default"', async ({ folder }) => {
  const { code, stdout } = await runHub(folder, {}, ['--help']);
  expect(code).toBe(0);
  const text = stdout.replace(/\s+/g, ' ');
  expect(text).toMatch(/CORRAL_HOST [^:]*; [^:]* Value: [^:]* Default: 127\.0\.0\.1\./);
  expect(text).toMatch(/CORRAL_PORT [^:]* Value: [^:]* Default: 8080\./);
  expect(text).toMatch(/Default: \.\/corral-data \(as root \/var\/lib\/corral\)\./);
  const keys = await readFile(new URL('../../hub/src/config/keys.ts', import.meta.url), 'utf8');
  const names = [...keys.matchAll(/^ {2}(\w+): \{/gm)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(10);
  for (const name of names)
    expect(stdout).toContain(`CORRAL_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`);
  expect(await readdir(folder)).toEqual([]);
});

test('without a password the first administrator gets a random one, printed once and never logged', async ({
  folder,
  startHub,
}) => {
  const env = { CORRAL_ADMIN_PASSWORD: '' };
  const first = await startHub(env, folder);
  await expect.poll(first.output).toMatch(/password {2}\S+/);
  const password = /password {2}(\S+)/.exec(first.output())?.[1] ?? '';
  await signInByApi(first, { email: administrator.email, password });
  expect(await first.stop()).toBe(0);
  const second = await startHub(env, folder);
  await signInByApi(second, { email: administrator.email, password });
  expect(second.output()).not.toContain(password);
});

test.describe(() => {
  // One after the other on one data folder, with one device: each start of a hub is two seconds of CPU time.
  test.describe.configure({ mode: 'default' });
  const devices = createDevices();
  let hub: HubProcess;
  let scene: Awaited<ReturnType<typeof connectFirstDevice>>;

  test.beforeAll(async () => {
    hub = await startHubProcess(await newDataDir());
    scene = await connectFirstDevice(hub, devices);
  });

  test.afterAll(async () => {
    await devices.end();
    // A failed test may have left it frozen.
    hub.process.kill('SIGCONT');
    expect(await hub.stop()).toBe(0);
    await removeFolder(hub.dataDir);
  });

  /** Starts the hub again where it was, and waits for the nth connection of the device. */
  async function startAgain(nth: number): Promise<void> {
    hub = await startHubProcess(hub.dataDir, { CORRAL_PORT: new URL(hub.url).port });
    await scene.agent.connectedAgain(nth);
  }

  for (const victims of ['the hub', 'the hub and its database'] as const)
    test(
      `kill -9 of ${victims}: after a restart no data is lost and the device reconnects`,
      { tag: victims === 'the hub' ? '@deep' : [] },
      async () => {
        const { agent, deviceId, device, operator, projectId } = scene;
        const nextConnection = agent.connectionCount() + 1;
        await operator.invoke('devices_SetDeviceName', { deviceId, name: `Survivor of ${victims}` });
        await device.call('events', 'emit', `Before the fall of ${victims}`);
        if (victims !== 'the hub') await killDatabase(hub.dataDir);
        await hub.stop('SIGKILL');
        await startAgain(nextConnection);
        const details = () => operator.invoke('devices_GetDeviceDetails', { deviceId });
        expect(await details()).toMatchObject({
          name: `Survivor of ${victims}`,
          isConnected: true,
          projectId,
        });
        // Connections of the killed hub end when its lease expires.
        const connections = async () => (await details()).connections.length;
        await expect.poll(connections).toBe(1);
        const { events } = await operator.invoke('devices_QueryDeviceEvents', { deviceId });
        expect(events.map(({ body }) => body)).toContain(`Before the fall of ${victims}`);
        const { tokens } = await operator.invoke('projects_QueryProjectDeploymentTokens', { projectId });
        expect(tokens).toHaveLength(1);
      },
    );

  test('SIGTERM stops gracefully: exit 0, the device is notified and reconnects after a restart', async () => {
    const { agent } = scene;
    const nextConnection = agent.connectionCount() + 1;
    const notice = /the hub ended the connection|the connection was lost/;
    const noticesSoFar = agent
      .output()
      .split('\n')
      .filter((line) => notice.test(line)).length;
    expect(await hub.stop('SIGTERM')).toBe(0);
    await agent.waitForLine(notice, noticesSoFar + 1);
    await startAgain(nextConnection);
  });

  test('the console shows Offline while the hub is down, and the device again after both are back', async ({
    page,
    expectedConsoleErrors,
  }) => {
    // While it starts, the hub refuses with 503.
    expectedConsoleErrors.push(/^Failed to load resource: net::ERR_/, refusedWith(503));
    const { agent, operator, projectId, deviceId } = scene;
    await operator.invoke('devices_SetDeviceName', { deviceId, name: 'North gate' });
    await openSession(page, hub, administrator);
    await page.goto(`${hub.url}/projects/${projectId}/devices/${deviceId}`);
    const state = page.getByRole('status').filter({ hasText: /^(Live|Polling|Offline)$/ });
    await expect(state).toHaveText('Live');
    const title = page.getByRole('heading', { level: 1, name: 'North gate' });
    await expect(title).toBeVisible();
    const nextConnection = agent.connectionCount() + 1;
    await hub.stop('SIGKILL');
    await expect(state).toHaveText('Offline');
    await expect(title).toBeVisible();
    await startAgain(nextConnection);
    await expect(state).toHaveText('Live');
    await expect(page.getByRole('main').getByText('Connected', { exact: true }).first()).toBeVisible();
  });

  test(
    'the console shows Polling, then Offline, while the hub is frozen, and Live when it goes on',
    { tag: '@deep' },
    async ({ page, expectedConsoleErrors }) => {
      // A hub that was frozen for long has lost its lease, and refuses with 503 until it has it again.
      expectedConsoleErrors.push(/^Failed to load resource: net::ERR_/, refusedWith(503));
      await openSession(page, hub, administrator);
      await page.goto(`${hub.url}/projects`);
      const state = page.getByRole('status').filter({ hasText: /^(Live|Polling|Offline)$/ });
      await expect(state).toHaveText('Live');
      hub.process.kill('SIGSTOP');
      await expect(state).toHaveText('Polling');
      await expect(state).toHaveText('Offline');
      hub.process.kill('SIGCONT');
      await expect(state).toHaveText('Live');
    },
  );
});

test('the output of the hub contains no secret: password, tokens, session, fingerprint', async ({
  startHub,
  devices,
}) => {
  const hub = await startHub({ CORRAL_LOG_LEVEL: 'trace' });
  const operator = await signInByApi(hub);
  const project = await newProject(operator);
  const { token } = await newToken(operator, project);
  const user = await operator.invoke('users_CreateUserToken', { userId: operator.userId, name: 'canary' });
  const device = await devices.make(hub, token);
  await device.run().connected();
  await device.call('events', 'emit', 'canary');
  await expect(signInByApi(hub, { ...administrator, password: 'a-wrong-canary-password' })).rejects.toThrow();
  await fetch(`${hub.url}/api/v1/actions/invoke/actor_GetActor?token=${token}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${user.token}`,
      cookie: operator.cookie,
    },
    body: `{"password":"a-canary-in-a-body"}`,
  });
  const fingerprint = (await readFile(join(device.stateDir, 'fingerprint'), 'utf8')).trim();
  expect(await hub.stop()).toBe(0);
  const secrets = [
    administrator.password,
    'a-wrong-canary-password',
    'a-canary-in-a-body',
    token,
    user.token,
    operator.cookie.split('=')[1] ?? '',
    fingerprint,
    'd_sk_',
  ];
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(4);
    expect(hub.output().includes(secret), `the output does not contain ${secret.slice(0, 12)}…`).toBe(false);
  }
});

/** Connects a device to a new project of a hub. */
async function connectFirstDevice(hub: HubProcess, devices: Devices) {
  const operator = await signInByApi(hub);
  const project = await newProject(operator);
  const connected = await connectDevice({ hub, operator, project, devices });
  return { operator, projectId: project.projectId, ...connected };
}

/** Kills the embedded database; its process id is in its data folder. */
async function killDatabase(dataDir: string): Promise<void> {
  const file = await readFile(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8');
  process.kill(Number(file.split('\n')[0]), 'SIGKILL');
}
