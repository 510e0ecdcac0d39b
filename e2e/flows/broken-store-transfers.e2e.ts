import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  commandLineOf,
  expect,
  mustSucceed,
  test as base,
  type CommandLine,
} from '../fixtures/command-line.ts';
import { CuttingRelay } from '../fixtures/cutting-relay.ts';
import { newDataDir, removeFolder } from '../fixtures/folders.ts';
import { startHubProcess, type HubProcess } from '../fixtures/hub-process.ts';
import { newProject, newToken } from '../fixtures/operator.ts';
import { writePublication } from '../fixtures/publication.ts';

const mib = 1_048_576;
/** The hub receives parts of this size before it sends them to the store. */
const partBytes = 8 * mib;

/** The command line of an operator of the hub, through its relay. */
interface Parts {
  readonly far: CommandLine;
}

/** Relays that break connections to the hub and to its store. */
let toHub: CuttingRelay;
let toStore: CuttingRelay;
let hub: HubProcess;
let storeEnv: Record<string, string>;

const test = base.extend<Parts>({
  far: async ({ folder }, use) => {
    const far = await commandLineOf(toHub, folder);
    await use(far);
    await far.end();
  },
});

// One after the other, so that one hub serves all.
test.describe.configure({ mode: 'default' });

test.beforeAll(async ({ objectStore }) => {
  toHub = await CuttingRelay.start();
  toStore = await CuttingRelay.start(Number(new URL(objectStore.url).port));
  storeEnv = {
    CORRAL_S3_ENDPOINT: objectStore.url,
    CORRAL_S3_PUBLIC_ENDPOINT: toStore.url,
    CORRAL_S3_BUCKET: objectStore.bucket,
    CORRAL_S3_PREFIX: 'broken-transfers',
    CORRAL_S3_ACCESS_KEY_ID: objectStore.accessKeyId,
    CORRAL_S3_SECRET_ACCESS_KEY: objectStore.secretAccessKey,
  };
  hub = await startHubProcess(await newDataDir(), { ...toHub.env, ...storeEnv });
  // Before, all bytes go through the hub.
  await expect.poll(() => hub.output()).toContain('checked the S3-compatible store');
});

test.afterAll(async () => {
  await hub.stop();
  await Promise.all([toHub.close(), toStore.close()]);
  await removeFolder(hub.dataDir);
});

async function killAndStartHub(): Promise<void> {
  await hub.stop('SIGKILL');
  toHub.release();
  hub = await startHubProcess(hub.dataDir, { ...toHub.env, ...storeEnv });
}

test(
  '[needs Go] with an object store, kill -9 of the hub while publish sends through it and while a device, whose connections are cut five times, pulls: both go on with what is missing',
  { tag: '@deep' },
  async ({ far, folder, devices }) => {
    const sizeBytes = 48 * mib;
    const { repository, packagePath, manifest, bytes } = await writePublication(folder, { sizeBytes });
    const project = await newProject(far.operator);
    const { token } = await newToken(far.operator, project);
    await far.run('repositories', 'create', repository);
    await far.run('repositories', 'link', repository, project.name);
    const inMiddle = toHub.held(36 * mib, 'toHub');
    toHub.passed.toHub = 0;
    const publishing = far.run('publish', manifest);
    await inMiddle;
    await killAndStartHub();
    mustSucceed(await publishing);
    // The store has neither the part that the hub was receiving nor the one that it was sending.
    expect(toHub.passed.toHub).toBeLessThanOrEqual(sizeBytes + 3 * partBytes);

    const device = await devices.make(toHub, token);
    const target = join(folder, 'press.img');
    const afterCuts = toStore.cutThenHeld(5, 6 * mib, 'toClient');
    toStore.passed.toClient = 0;
    const pulling = device.attempt(
      'repositories',
      'pull',
      `${packagePath}@stable`,
      'press.img',
      '--output',
      target,
    );
    await afterCuts;
    await killAndStartHub();
    toStore.release();
    mustSucceed(await pulling);
    expect(toStore.cuts).toBe(0);
    expect(toStore.passed.toClient).toBeGreaterThanOrEqual(sizeBytes);
    expect(toStore.passed.toClient).toBeLessThanOrEqual(1.02 * sizeBytes);
    expect((await readFile(target)).equals(bytes)).toBe(true);
  },
);
