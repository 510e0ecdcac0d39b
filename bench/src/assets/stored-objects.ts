import { randomBytes } from 'node:crypto';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'node:http';
import { createSecureContext } from 'node:tls';
import type { Id } from '@corral/contract';
import { digestFile, transferHttp, uploadAsset, type DigestedFile } from '@corral/client/node';
import { objectStore } from '../anchors/object-store.ts';
import type { BenchUser } from '../bench-hub.ts';
import { sleep } from '../processes.ts';
import { line, type Line } from '../table.ts';
import type { Testbed } from '../testbed.ts';
import { seconds } from './transfers.ts';

const mebibyte = 1024 * 1024;
const sizeBytes = 1024 * mebibyte;

/** Uploads of 1 GiB to an object store: by our client through the hub, beside one PUT to the store itself. */
export async function storedObjects(testbed: Testbed): Promise<Line[]> {
  const store = await objectStore();
  const folder = await mkdtemp(join(tmpdir(), 'corral-bench-files-'));
  const http = transferHttp({ secureContext: createSecureContext(), env: {} });
  try {
    await testbed.restart(store.env);
    const { user } = testbed;
    const { executor } = user;
    const repositoryId = await newRepository(user);
    await untilProbed(user, repositoryId);
    const newFile = (name: string) => randomFile(join(folder, name));
    const single = await newFile('single');
    const anchor = await seconds(() => putDirectly(user, repositoryId, single));
    const passed = await newFile('passed');
    const elapsed = await seconds(() => uploadAsset(passed, { executor, http, repositoryId }));
    return [
      line({
        what: '1 GiB to an object store, resumable, through the hub',
        unit: 'MiB/s',
        ours: sizeBytes / mebibyte / elapsed,
        anchor: sizeBytes / mebibyte / anchor,
        anchorName: 'one PUT to the store, which checks it',
      }),
    ];
  } finally {
    http.close();
    await testbed.restart();
    await store.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function newRepository({ executor }: BenchUser): Promise<Id<'repository'>> {
  const created = await executor.invoke('repositories_CreateRepository', { name: 'stored objects' });
  if (created.result !== 'Created') throw new Error('The repository exists already.');
  return created.repositoryId;
}

/** A hub that starts finds out what its store can do; until then everything goes through it. */
async function untilProbed({ executor }: BenchUser, repositoryId: Id<'repository'>): Promise<void> {
  for (let seed = 0; ; seed += 1) {
    const digest = `sha256_${seed.toString(16).padStart(64, '0')}`;
    const { assetId } = await executor.invoke('repositories_CreateAsset', {
      repositoryId,
      size: sizeBytes,
      digest,
    });
    const { url, verifiedUrl } = await executor.invoke('repositories_IssueAssetUploadUrl', { assetId });
    if (verifiedUrl !== url) return;
    await sleep(500);
  }
}

async function randomFile(path: string): Promise<DigestedFile> {
  const file = await open(path, 'w');
  const block = randomBytes(mebibyte);
  for (let index = 0; index < sizeBytes / mebibyte; index += 1) {
    block.writeUInt32LE(index);
    await file.write(block);
  }
  await file.close();
  return digestFile(path);
}

/** One PUT to the store itself, as clients of 2026 send it. */
async function putDirectly(
  { executor }: BenchUser,
  repositoryId: Id<'repository'>,
  { path, digest }: DigestedFile,
): Promise<void> {
  const { assetId } = await executor.invoke('repositories_CreateAsset', {
    repositoryId,
    size: sizeBytes,
    digest,
  });
  const issued = await executor.invoke('repositories_IssueAssetUploadUrl', { assetId });
  const file = await open(path);
  const options = { method: 'PUT', headers: { ...issued.headers, 'content-length': sizeBytes } };
  await new Promise<void>((resolve, reject) => {
    const sent = request(issued.verifiedUrl ?? issued.url, options, (answer) => {
      answer.resume();
      if (answer.statusCode === 200) resolve();
      else reject(new Error(`The store answered ${answer.statusCode}.`));
    });
    sent.on('error', reject);
    file.createReadStream({ highWaterMark: mebibyte }).pipe(sent);
  });
  await executor.invoke('repositories_FinalizeAssetUpload', { assetId });
}
