import { open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  commandLineOf,
  expect,
  mustSucceed,
  test as base,
  type CommandLine,
} from '../fixtures/command-line.ts';
import { CuttingRelay } from '../fixtures/cutting-relay.ts';
import { isDeep } from '../../tools/test-figures.ts';
import { newDataDir, removeFolder } from '../fixtures/folders.ts';
import { startHubProcess, type HubProcess } from '../fixtures/hub-process.ts';
import { newProject, newToken } from '../fixtures/operator.ts';
import { writePublication } from '../fixtures/publication.ts';

const mib = 1_048_576;

/** The command line of an operator of the hub, through the relay. */
interface Parts {
  readonly far: CommandLine;
}

/** A relay that breaks connections, and the hub behind it. */
let relay: CuttingRelay;
let hub: HubProcess;

const test = base.extend<Parts>({
  far: async ({ folder }, use) => {
    const far = await commandLineOf(relay, folder);
    await use(far);
    await far.end();
  },
});

// One after the other, so that one hub serves all.
test.describe.configure({ mode: 'default' });

test.beforeAll(async () => {
  relay = await CuttingRelay.start();
  hub = await startHubProcess(await newDataDir(), relay.env);
});

test.afterAll(async () => {
  await relay.close();
  await hub.stop();
  await removeFolder(hub.dataDir);
});

/** How often an upload and a download break, and of how many MiB. */
const [uploadCuts, downloadCuts, sizeMib] = isDeep ? [20, 50, 192] : [5, 12, 48];

test(`an upload that breaks ${uploadCuts} times and a download that breaks ${downloadCuts} times cost at most 2 % more bytes`, async ({
  far,
  folder,
}) => {
  const sizeBytes = sizeMib * mib;
  const { repository, packagePath, manifest, bytes } = await writePublication(folder, { sizeBytes });
  await far.run('repositories', 'create', repository);
  Object.assign(relay, { cuts: uploadCuts, cutAfterBytes: 3 * mib, cutsOn: 'toHub' });
  relay.passed.toHub = 0;
  mustSucceed(await far.run('publish', manifest));
  expect(relay.cuts).toBe(0);
  expect(relay.passed.toHub).toBeLessThanOrEqual(1.02 * sizeBytes);

  Object.assign(relay, { cuts: downloadCuts, cutAfterBytes: 3 * mib, cutsOn: 'toClient' });
  relay.passed.toClient = 0;
  const target = join(folder, 'press.img');
  mustSucceed(await far.run('pull', `${packagePath}@stable`, 'press.img', '--output', target));
  expect(relay.cuts).toBe(0);
  expect(relay.passed.toClient).toBeLessThanOrEqual(1.02 * sizeBytes);
  expect((await readFile(target)).equals(bytes)).toBe(true);
});

test(
  'kill -9 of the hub in the middle of an upload and of a download: both go on when it is back',
  { tag: '@deep' },
  async ({ far, folder }) => {
    const sizeBytes = 96 * mib;
    const { repository, packagePath, manifest, bytes } = await writePublication(folder, { sizeBytes });
    await far.run('repositories', 'create', repository);
    const inMiddleOfUpload = relay.held(40 * mib, 'toHub');
    relay.passed.toHub = 0;
    const publishing = far.run('publish', manifest);
    await inMiddleOfUpload;
    await hub.stop('SIGKILL');
    relay.release();
    hub = await startHubProcess(hub.dataDir, relay.env);
    mustSucceed(await publishing);
    // What the relay had, but not the hub yet, is sent again.
    expect(relay.passed.toHub).toBeLessThanOrEqual(sizeBytes + 8 * mib);

    const inMiddleOfDownload = relay.held(40 * mib, 'toClient');
    const target = join(folder, 'press.img');
    const pulling = far.run('pull', `${packagePath}@stable`, 'press.img', '--output', target);
    await inMiddleOfDownload;
    await hub.stop('SIGKILL');
    relay.release();
    hub = await startHubProcess(hub.dataDir, relay.env);
    mustSucceed(await pulling);
    expect((await readFile(target)).equals(bytes)).toBe(true);
  },
);

test(
  'kill -9 of publish: no tag points at what is incomplete, and the next run sends the rest',
  { tag: '@deep' },
  async ({ far, folder }) => {
    const sizeBytes = 96 * mib;
    const { repository, packagePath, manifest } = await writePublication(folder, { sizeBytes });
    await far.run('repositories', 'create', repository);
    const inMiddle = relay.held(40 * mib, 'toHub');
    const publishing = far.start('publish', manifest);
    await inMiddle;
    await publishing.stop('SIGKILL');
    relay.release();
    expect(await far.run('versions', 'show', `${packagePath}@stable`)).toMatchObject({ code: 1 });
    relay.passed.toHub = 0;
    expect(await far.json('publish', manifest)).toMatchObject({
      status: 'published',
      files: expect.arrayContaining([expect.objectContaining({ filename: 'press.img', status: 'resumed' })]),
    });
    // What the relay had, but not the hub yet, is sent again.
    expect(relay.passed.toHub).toBeLessThanOrEqual(sizeBytes - 32 * mib);
    expect(await far.json('versions', 'show', `${packagePath}@stable`)).toMatchObject({ name: '1.4.0' });
  },
);

test(
  'a device pulls while its connections are cut five times and the hub is killed once, and costs at most 2 % more bytes; after its own kill it goes on',
  { tag: '@deep' },
  async ({ far, folder, devices }) => {
    const sizeBytes = 64 * mib;
    const { repository, packagePath, manifest, bytes } = await writePublication(folder, { sizeBytes });
    const project = await newProject(far.operator);
    const { token } = await newToken(far.operator, project);
    await far.run('repositories', 'create', repository);
    await far.run('publish', manifest);
    await far.run('repositories', 'link', repository, project.name);
    const device = await devices.make({ url: relay.url }, token);
    const pullTo = (target: string) =>
      ['repositories', 'pull', `${packagePath}@stable`, 'press.img', '--output', target] as const;

    const [first, second] = [join(folder, 'first.img'), join(folder, 'second.img')];
    const afterCuts = relay.cutThenHeld(5, 8 * mib, 'toClient');
    relay.passed.toClient = 0;
    const pulling = device.attempt(...pullTo(first));
    await afterCuts;
    await hub.stop('SIGKILL');
    relay.release();
    hub = await startHubProcess(hub.dataDir, relay.env);
    mustSucceed(await pulling);
    expect(relay.cuts).toBe(0);
    expect(relay.passed.toClient).toBeLessThanOrEqual(1.02 * sizeBytes);
    expect((await readFile(first)).equals(bytes)).toBe(true);

    const inMiddle = relay.held(40 * mib, 'toClient');
    const killed = device.start(...pullTo(second));
    await inMiddle;
    await killed.stop('SIGKILL');
    relay.release();
    relay.passed.toClient = 0;
    mustSucceed(await device.attempt(...pullTo(second)));
    // What the relay had passed on, but the agent not stored yet, is sent again: up to the buffers of the connection.
    expect(relay.passed.toClient).toBeLessThanOrEqual(sizeBytes - 24 * mib);
    expect((await readFile(second)).equals(bytes)).toBe(true);
  },
);

test('bytes that were altered in the data folder: exit 5, no file, and the good part is kept', async ({
  far,
  folder,
}) => {
  const sizeBytes = 8 * mib;
  const { repository, packagePath, manifest, bytes } = await writePublication(folder, { sizeBytes });
  await far.run('repositories', 'create', repository);
  await far.run('publish', manifest);
  const stored = await fileOfSize(hub.dataDir, sizeBytes);
  const flip = async (): Promise<void> => {
    const file = await open(stored, 'r+');
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, 5 * mib);
    await file.write(Buffer.from([(buffer[0] ?? 0) ^ 1]), 0, 1, 5 * mib);
    await file.close();
  };
  await flip();
  const target = join(folder, 'press.img');
  const pull = () => far.run('pull', `${packagePath}@stable`, 'press.img', '--output', target);
  expect(await pull()).toMatchObject({
    code: 5,
    stdout: '',
    stderr: expect.stringContaining(`The bytes from ${5 * mib} to ${6 * mib} are not those of the asset.\n`),
  });
  await expect(stat(target)).rejects.toThrow();
  await flip();
  expect(await pull()).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('8.0 MiB, 3.0 MiB fetched'),
  });
  expect((await readFile(target)).equals(bytes)).toBe(true);
  await rm(target);
});

/** The only file of this size in the data folder. */
async function fileOfSize(folder: string, sizeBytes: number): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  for (const path of paths.filter((name) => !name.includes('postgres')))
    if ((await stat(path)).size === sizeBytes) return path;
  throw new Error('There is no such file.');
}
