import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AssetServer, image } from '../../client/test/asset-server.ts';
import { AgentProcess } from '../test/agent-process.ts';
import { HubPeer, ok, token } from '../test/hub-peer.ts';

const mib = 1_048_576;
const versionId = `pkg_v_${'1'.repeat(22)}`;
let hub: HubPeer;
let server: AssetServer;
let folder: string;
let target: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corral-agent-pull-'));
  target = join(folder, 'press.img');
  hub = await HubPeer.start();
  server = await AssetServer.start(image(12));
  const { assetId, sizeBytes: size, digest } = server.asset;
  const file = { filename: 'press.img', assetId, size, digest, status: 'Available', metadata: {} };
  const chunks = await server.executor.invoke('repositories_GetAssetChunks', { assetId });
  const more = await server.executor.invoke('repositories_GetAssetChunks', {
    assetId,
    after: chunks.next ?? 0,
  });
  const digests = Buffer.concat([chunks, more].map((page) => Buffer.from(page.digests, 'base64')));
  Object.assign(hub.answers, {
    repositories_ResolvePackageVersionByPath: ok({ result: 'Found', versionId }),
    repositories_GetPackageVersionDetails: ok({ versionId, assets: [file], tags: [], metadata: {} }),
    repositories_GetAssetChunks: ok({ chunkSize: mib, total: 12, digests: digests.toString('base64') }),
    repositories_IssueAssetDownloadUrl: ok({ url: `${server.origin}/r/assets/1?sig=1` }),
  });
});

afterEach(async () => {
  await hub.stop();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Answers with a version of these files, all with the same bytes. */
function answerFiles(...filenames: string[]): void {
  const { assetId, sizeBytes: size, digest } = server.asset;
  const file = { assetId, size, digest, status: 'Available', metadata: {} };
  const assets = filenames.map((filename) => ({ ...file, filename }));
  hub.answers['repositories_GetPackageVersionDetails'] = ok({ versionId, assets, tags: [], metadata: {} });
}

function start(...args: string[]): AgentProcess {
  const words = ['--hub-url', hub.url, '--state', join(folder, 'state'), 'repositories', 'pull', ...args];
  return new AgentProcess([...words, '--output', target], { CORRAL_AGENT_TOKEN: token });
}

async function pull(...args: string[]) {
  const agent = start(...args);
  const code = await agent.ended;
  return { code, stdout: agent.stdout, stderr: agent.stderr };
}

test('pull fetches the file of a version by its path, and does nothing when it is there', async () => {
  const first = await pull('firmware/press@stable~1', 'press.img', '--json');
  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(first.stdout)).toMatchObject({
    files: [{ filename: 'press.img', path: target, status: 'downloaded', fetchedBytes: server.bytes.length }],
  });
  expect((await readFile(target)).equals(server.bytes)).toBe(true);
  expect(hub.inputsOf('repositories_ResolvePackageVersionByPath')).toEqual([
    { repository: 'firmware', package: 'press', tag: 'stable~1' },
  ]);
  expect(server.headers[0]).not.toHaveProperty('authorization');
  expect(server.headers[0]).not.toHaveProperty('x-client-cert');
  expect(await pull(versionId)).toEqual({ code: 0, stdout: `${target}: unchanged\n`, stderr: '' });
  expect(server.ranges).toHaveLength(1);
});

test('files keep their folders below the output; a path or a link that leads out of it is refused', async () => {
  target = join(folder, 'output');
  await mkdir(target);
  answerFiles('a/x.js', 'b/x.js');
  expect(await pull('firmware/press@stable')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`${join(target, 'a/x.js')}: `),
  });
  for (const name of ['a/x.js', 'b/x.js'])
    expect((await readFile(join(target, name))).equals(server.bytes)).toBe(true);
  await symlink(folder, join(target, 'link'));
  answerFiles('a/y.js', 'link/y.js');
  expect(await pull('firmware/press@stable')).toMatchObject({
    code: 1,
    stderr: `${JSON.stringify(join(target, 'link'))} is a link that leads out of ${JSON.stringify(target)}: remove it.\n`,
  });
  for (const name of ['../y.js', 'a/../../y.js', `${folder}/y.js`, '..\\y.js', 'C:\\y.js']) {
    answerFiles('a/y.js', name);
    expect(await pull('firmware/press@stable')).toMatchObject({
      code: 1,
      stderr: `${JSON.stringify(name)} is no path below a folder here: name this file alone, and a path for it.\n`,
    });
  }
  expect((await readdir(folder)).toSorted()).toEqual(['output', 'state']);
  expect(await readdir(join(target, 'a'))).toEqual(['x.js']);
});

test('killed in the middle, it goes on with what it has', async () => {
  server.stallAfterBytes = 8 * mib;
  const agent = start('firmware/press@stable');
  await vi.waitFor(async () => {
    const name = (await readdir(folder)).find((entry) => entry.endsWith('.corral-part')) ?? '';
    const partial = await readFile(join(folder, name));
    expect(partial.subarray(7 * mib, 8 * mib).equals(server.bytes.subarray(7 * mib, 8 * mib))).toBe(true);
  });
  await agent.stop('SIGKILL');
  server.stallAfterBytes = Infinity;
  expect(await pull('firmware/press@stable')).toMatchObject({
    code: 0,
    stdout: `${target}: ${server.bytes.length - 8 * mib} bytes fetched\n`,
  });
  expect((await readFile(target)).equals(server.bytes)).toBe(true);
});

test('when the link to the hub is lost and the address expires, it connects again for a new one', async () => {
  server.cuts = 1;
  server.cutAfterBytes = 5 * mib;
  server.onSent = (sentBytes) => {
    if (sentBytes > 5 * mib) return;
    hub.cut();
    server.refusals = [{ status: 410 }];
  };
  expect(await pull('firmware/press@stable')).toMatchObject({ code: 0 });
  expect(hub.upgrades).toHaveLength(2);
  expect((await readFile(target)).equals(server.bytes)).toBe(true);
});

test('a file with other bytes exits with code 5 and is not kept', async () => {
  server.alter = (bytes) => bytes.fill(0, 0, 10);
  expect(await pull('firmware/press@stable')).toEqual({
    code: 5,
    stdout: '',
    stderr: expect.stringContaining(`The bytes from 0 to ${mib} are not those of the asset.\n`),
  });
  expect((await readdir(folder)).filter((name) => !name.startsWith('.'))).toEqual(['state']);
});

test('a folder that is not there is named', async () => {
  target = join(folder, 'missing', 'a.img');
  expect(await pull('firmware/press@stable')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`"${target}" cannot be written: its folder is not there.\n`),
  });
});

test('a version that is not there, a wrong name, and a refused token are one sentence each', async () => {
  expect(await pull('firmware/press')).toMatchObject({ code: 1, stderr: expect.stringContaining('@tag') });
  hub.answers['repositories_ResolvePackageVersionByPath'] = ok({ result: 'NotFound' });
  expect(await pull('firmware/press@9')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'There is no version firmware/press@9 that this device may fetch.\n',
  });
  hub.refusal = { status: 401, message: 'The deployment token is not known.' };
  expect(await pull('firmware/press@9')).toEqual({
    code: 3,
    stdout: '',
    stderr: 'The deployment token is not known.\n',
  });
});
