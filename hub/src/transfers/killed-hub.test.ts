import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rm, mkdtemp, chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, inject, test } from 'vitest';
import { callUrl, fileOf, fileWith, type TestFile } from '../../test/asset-scene.ts';

const kills = inject('figures').uploadKills;
const administrator = { email: 'admin@example.org', password: 'gate-latch-and-rail' };
const main = fileURLToPath(new URL('../main.ts', import.meta.url));

interface RunningHub {
  readonly child: ChildProcess;
  readonly url: string;
  invoke(name: string, input: unknown): Promise<Record<string, unknown>>;
}

/** Starts a hub as operators do and signs its administrator in. */
async function startHub(dataDir: string): Promise<RunningHub> {
  const env = {
    PATH: process.env['PATH'],
    CORRAL_DATA_DIR: dataDir,
    CORRAL_PORT: '0',
    CORRAL_LOG_FORMAT: 'json',
    CORRAL_ADMIN_EMAIL: administrator.email,
    CORRAL_ADMIN_PASSWORD: administrator.password,
  };
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const url = await readyUrl(child);
  const post = (path: string, body: unknown, more: Record<string, string> = {}) =>
    callUrl(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', ...more },
      body: Buffer.from(JSON.stringify(body)),
    });
  const cookie =
    (await post('/api/private/login', administrator)).headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  return {
    child,
    url,
    async invoke(name, input) {
      const { status, bytes } = await post(`/api/v1/actions/invoke/${name}`, input, { cookie });
      if (status !== 200) throw new Error(`${name} ended with ${status}: ${bytes.toString()}`);
      return JSON.parse(bytes.toString()) as Record<string, unknown>;
    },
  };
}

/** The address of a hub once it is ready. Rejects with what it wrote if it ends before. */
async function readyUrl(child: ChildProcess): Promise<string> {
  const lines: string[] = [];
  const ready = new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue;
      createInterface({ input: stream }).on('line', (line) => {
        lines.push(line);
        const url = /Corral is ready: (http[^\s"]+)/.exec(line)?.[1];
        if (url !== undefined) resolve(url);
      });
    }
  });
  const ended = once(child, 'close').then(() => {
    throw new Error(`The hub ended before it was ready:\n${lines.join('\n')}`);
  });
  return Promise.race([ready, ended]);
}

test(
  'a hub that is killed in the middle of uploads and deletions loses nothing that it acknowledged, and serves nothing else',
  { timeout: 900_000 },
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'corral-killed-'));
    await chmod(dataDir, 0o711);
    const acknowledged = new Map<string, TestFile>();
    let hub = await startHub(dataDir);
    try {
      const { repositoryId } = await hub.invoke('repositories_CreateRepository', { name: 'images' });
      for (let kill = 0; kill < kills; kill += 1) {
        const before = acknowledged.size;
        const writers = [1, 2, 3].map((writer) =>
          writeUntilKilled(hub, String(repositoryId), acknowledged, writer),
        );
        const enough = 3 + Math.floor(Math.random() * 12);
        await expect
          .poll(() => acknowledged.size, { interval: 1, timeout: 60_000 })
          .toBeGreaterThan(before + enough);
        hub.child.kill('SIGKILL');
        await Promise.all([
          ...writers,
          hub.child.exitCode === null && hub.child.signalCode === null ? once(hub.child, 'exit') : undefined,
        ]);
        hub = await startHub(dataDir);
        await mustServe(hub, String(repositoryId), acknowledged);
      }
      expect(acknowledged.size).toBeGreaterThan(0);
    } finally {
      hub.child.kill('SIGTERM');
      await once(hub.child, 'exit');
      await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    }
  },
);

/** Uploads files of many sizes, by PUT and in parts, and deletes some, until the hub is gone. */
async function writeUntilKilled(
  hub: RunningHub,
  repositoryId: string,
  acknowledged: Map<string, TestFile>,
  writer: number,
): Promise<void> {
  try {
    for (let index = 0; ; index += 1) {
      const file = fileOf(Math.ceil(Math.random() * 1_500_000));
      const announced = { repositoryId, size: file.bytes.length, digest: file.digest };
      const { assetId } = await hub.invoke('repositories_CreateAsset', announced);
      const { url } = await hub.invoke('repositories_IssueAssetUploadUrl', { assetId });
      await upload(String(url), file, writer === 1);
      acknowledged.set(String(assetId), file);
      if (index % 4 !== 3) continue;
      acknowledged.delete(String(assetId));
      await hub.invoke('repositories_DeleteAsset', { assetId });
    }
  } catch {
    // The hub is gone.
  }
}

async function upload(url: string, { bytes }: TestFile, inParts: boolean): Promise<void> {
  const call = async (method: string, body: Buffer, headers: Record<string, string> = {}): Promise<void> => {
    const { status } = await callUrl(url, { method, body, headers });
    if (status >= 300) throw new Error(`The upload ended with ${status}.`);
  };
  if (!inParts) return call('PUT', bytes);
  const half = Math.floor(bytes.length / 2);
  const tus = { 'tus-resumable': '1.0.0', 'content-type': 'application/offset+octet-stream' };
  await call('PATCH', bytes.subarray(0, half), { ...tus, 'upload-offset': '0' });
  await call('PATCH', bytes.subarray(half), { ...tus, 'upload-offset': String(half) });
}

/** What was acknowledged is there, and whatever is available has the announced bytes. */
async function mustServe(
  hub: RunningHub,
  repositoryId: string,
  acknowledged: ReadonlyMap<string, TestFile>,
): Promise<void> {
  const { assets } = (await hub.invoke('repositories_QueryRepositoryAssets', { repositoryId })) as {
    assets: { assetId: string; status: string; digest: string }[];
  };
  const available = assets.filter(({ status }) => status === 'Available');
  expect(new Set(available.map(({ assetId }) => assetId))).toEqual(
    new Set([...acknowledged.keys(), ...available.map(({ assetId }) => assetId)]),
  );
  for (const { assetId, digest } of available) {
    const { url } = await hub.invoke('repositories_IssueAssetDownloadUrl', { assetId });
    const { status, bytes } = await callUrl(String(url));
    expect([status, fileWith(bytes).digest]).toEqual([200, digest]);
  }
}
