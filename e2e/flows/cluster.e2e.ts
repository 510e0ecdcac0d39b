import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { findOrInstallNatsServer, freePort } from '@corral/tools';
import { connectDevice } from '../fixtures/connected-device.ts';
import { cliLauncher, startForward } from '../fixtures/command-line.ts';
import { Conversation } from '../fixtures/conversation.ts';
import { newDataDir, removeFolder } from '../fixtures/folders.ts';
import { newProject, signInByApi } from '../fixtures/operator.ts';
import { runProgram, startProgram, type Program } from '../fixtures/program.ts';
import { writePublication } from '../fixtures/publication.ts';
import { newRepository } from '../fixtures/repository.ts';
import { startWriting } from '../fixtures/steady-writes.ts';
import { serveEcho } from '../fixtures/sockets.ts';
import { missingForS3 } from '../fixtures/object-store.ts';
import { expect, test as base, useSession } from '../fixtures/test.ts';

const script = fileURLToPath(new URL('../../tools/cluster.ts', import.meta.url));
const mib = 1_048_576;
const hubs = ['north', 'east', 'south'];
/** Restarted one after the other, under writes. */
const restarted = [hubs, hubs, hubs].flat();

interface Cluster {
  readonly url: string;
  /** Runs `npm run cluster -- VERB NAME`. */
  command(verb: string, name: string): Promise<void>;
}

const test = base.extend<{ readonly cluster: Cluster }>({
  cluster: async ({}, use) => {
    if (missingForS3() !== undefined || findOrInstallNatsServer() === undefined)
      base.skip(true, 'A cluster needs nats-server, and Go 1.25 or newer.');
    const folder = await newDataDir();
    const port = await freePort();
    const env = { CORRAL_CLUSTER_DIR: folder };
    const program = startProgram(process.execPath, [script, '--devices', '0', '--port', `${port}`], { env });
    const [, url = ''] = await program.waitForLine(/The cluster is ready: (\S+)/);
    await use({
      url,
      async command(verb, name) {
        const { stdout } = await runProgram(process.execPath, [script, verb, name], { env });
        expect(stdout).toContain(name);
      },
    });
    expect(await program.stop()).toBe(0);
    await removeFolder(folder);
  },
  baseURL: async ({ cluster }, use) => use(cluster.url),
});

/** A web server on the device. */
async function startPage(): Promise<{ port: number; close(): void }> {
  const server = createServer((_request, response) => response.end('the page of the device'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() };
}

test(
  '[needs Go] three hubs are one Corral: restarted one after the other, and one cut off from the database, they lose nothing, and whichever is killed, a page, a device, a forwarded connection and an upload go on through the others',
  { tag: '@deep' },
  async ({ cluster, page, devices, folder, expectedConsoleErrors }, testInfo) => {
    test.setTimeout(300_000 + restarted.length * 60_000);
    // What was under way to a hub that is killed.
    expectedConsoleErrors.push(/Failed to load resource/, /ERR_/);
    const operator = await signInByApi(cluster);
    const project = await newProject(operator);
    const connected = await connectDevice({ hub: cluster, operator, project, devices });
    const { deviceId } = connected;
    const { token } = await operator.invoke('users_CreateUserToken', {
      userId: operator.userId,
      name: 'cli',
    });
    const env = { CORRAL_URL: cluster.url, CORRAL_TOKEN: token, HOME: folder };
    const web = await startPage();
    const forward: Program = startForward(env, deviceId, `0:${web.port}`);
    const [, localPort] = await forward.waitForLine(/^127\.0\.0\.1:(\d+) leads to port/);
    const read = () =>
      fetch(`http://127.0.0.1:${localPort}/`, { signal: AbortSignal.timeout(5_000) }).then(
        (answer) => answer.text(),
        () => 'nothing',
      );
    await useSession(page, cluster, operator.cookie);
    await page.goto(connected.path);
    await expect.poll(read).toBe('the page of the device');
    const echo = await serveEcho();
    const shell = startForward(env, deviceId, `0:${echo.port}`);
    const [, shellPort] = await shell.waitForLine(/^127\.0\.0\.1:(\d+) leads to port/);
    // As a shell: one connection over all that follows.
    const conversation = await Conversation.start(Number(shellPort));
    const shellGoesOn = async (): Promise<void> => {
      const before = conversation.blocks;
      await expect.poll(() => conversation.blocks).toBeGreaterThan(before);
    };
    const writes = await startWriting({ hub: cluster, operator, projectId: project.projectId, scripts: 3 });
    for (const name of restarted) {
      const before = writes.acknowledged.length;
      await cluster.command('stop', name);
      await cluster.command('start', name);
      await expect.poll(() => writes.acknowledged.length).toBeGreaterThan(before);
      await expect.poll(read, { timeout: 60_000 }).toBe('the page of the device');
      await shellGoesOn();
    }
    const serving = () =>
      operator.invoke('cluster_GetClusterDetails', {}).then(
        ({ nodes }) => new Set(nodes.map(({ name }) => name)),
        () => new Set(),
      );
    await cluster.command('cut', 'south');
    await expect.poll(serving, { timeout: 60_000 }).toEqual(new Set(['east', 'north']));
    const beforeCut = writes.acknowledged.length;
    // A device that was connected to it is found at another hub.
    await expect.poll(read, { timeout: 60_000 }).toBe('the page of the device');
    await expect.poll(() => writes.acknowledged.length, { timeout: 60_000 }).toBeGreaterThan(beforeCut);
    await cluster.command('heal', 'south');
    await expect.poll(serving, { timeout: 60_000 }).toEqual(new Set(['east', 'north', 'south']));
    await shellGoesOn();
    await writes.stop();
    expect(await writes.lost()).toEqual([]);
    // A hub that stops says so, or the proxy says that it is gone; nothing fails inside.
    expect(writes.retries.filter((reason) => /internal|500/i.test(reason))).toEqual([]);
    testInfo.annotations.push({
      type: 'figures',
      description: `${restarted.length} restarts: ${writes.acknowledged.length} writes acknowledged, 0 lost, ${writes.retries.length} tried again`,
    });
    const { repositoryId, name: repository } = await newRepository(operator);
    const assets = async () =>
      (await operator.invoke('repositories_QueryRepositoryAssets', { repositoryId })).assets.length;
    for (const [index, name] of hubs.entries()) {
      const release = { repository, version: `1.0.${index}`, sizeBytes: 64 * mib };
      const { manifest } = await writePublication(folder, release);
      const publishing = runProgram(process.execPath, [cliLauncher, 'publish', manifest], { env });
      await expect.poll(assets, { intervals: [50] }).toBeGreaterThan(2 * index);
      await cluster.command('kill', name);
      const { code, stderr } = await publishing;
      expect(code, stderr).toBe(0);
      await expect.poll(read, { timeout: 60_000 }).toBe('the page of the device');
      await shellGoesOn();
      await operator.invoke('devices_SetDeviceName', { deviceId, name: `without ${name}` });
      await expect(page.getByRole('heading', { level: 1 })).toContainText(`without ${name}`);
      // The last one has to leave another.
      if (name === 'east') await cluster.command('start', 'north');
    }
    expect(await conversation.stop()).toBeUndefined();
    expect(shell.output()).not.toContain('broke off');
    expect(await shell.stop()).toBe(0);
    await echo.close();
    expect(await forward.stop()).toBe(0);
    web.close();
  },
);
