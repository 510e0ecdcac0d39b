import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { handlers } from '../src/domains/handlers.ts';
import type { Storages } from '../src/domains/assets/storage/storages.ts';
import { instanceSettings } from '../src/config/instance-settings.ts';
import type { Database } from '../src/platform/db/connect.ts';
import { createExecutor } from '../src/calls/executor.ts';
import { sweepStores } from '../src/domains/assets/jobs/sweep-stores.ts';
import { callUrl, fileOf, fileWith, type TestFile } from './asset-scene.ts';
import { ownDatabase, type FreshDatabase } from './fresh-database.ts';
import { testConfig } from './fresh-executor.ts';
import { startHubProgram, type HubProgram } from './hub-program.ts';
import { testVault } from './test-vault.ts';

const killAt = fileURLToPath(new URL('./kill-at.ts', import.meta.url));

/** One data folder and one database over many lives of a hub. */
export interface Lives {
  readonly hub: HubProgram;
  readonly database: FreshDatabase;
  readonly dataDir: string;
  readonly repositoryId: string;
  /** Has the hub die at a step, such as `before rename`. */
  order(moment: string): Promise<void>;
  /** Waits for its death and starts it again. */
  restart(): Promise<void>;
}

/** Starts the first hub; all end with the test. */
export async function lives(env: Readonly<Record<string, string>> = {}): Promise<Lives> {
  const dataDir = await mkdtemp(join(tmpdir(), 'corral-crash-'));
  await chmod(dataDir, 0o711);
  const orders = join(dataDir, 'orders');
  const database = await ownDatabase();
  const start = () =>
    startHubProgram({
      dataDir,
      env: { ...env, CORRAL_DATABASE_URL: urlOf(database), KILL_ORDERS: orders },
      nodeOptions: ['--import', killAt],
    });
  let hub = await start();
  onTestFinished(async () => {
    await hub.kill();
    await database[Symbol.asyncDispose]();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  });
  const { repositoryId } = await hub.invoke('repositories_CreateRepository', { name: 'images' });
  return {
    get hub() {
      return hub;
    },
    database,
    dataDir,
    repositoryId: String(repositoryId),
    order: (moment) => writeFile(orders, moment),
    async restart() {
      await hub.gone();
      await rm(orders, { force: true });
      // A dead node is known to be dead once its lease is over, and so is what it was deleting: that takes half a minute.
      const over = new Date(0);
      await database.db.updateTable('cluster_nodes').set({ lease_until: over }).execute();
      await database.db.updateTable('assets').set({ upload_lease_ends_at: over }).execute();
      hub = await start();
    },
  };
}

/** The server of the tests listens on a socket in a folder. */
function urlOf({ address }: FreshDatabase): string {
  if ('url' in address) return address.url;
  const { user, password, database, host } = address;
  const credentials = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`;
  return `postgres://${credentials}@localhost/${database}?host=${encodeURIComponent(host)}`;
}

/** Creates the asset of a file. */
export async function create({ hub, repositoryId }: Lives, file: TestFile): Promise<string> {
  const announced = { repositoryId, size: file.bytes.length, digest: file.digest };
  return String((await hub.invoke('repositories_CreateAsset', announced))['assetId']);
}

/** The status of an asset. */
export const statusOf = async ({ hub }: Lives, assetId: string) =>
  String((await hub.invoke('repositories_GetAssetDetails', { assetId }))['status']);

/** Uploads a file whole. Resolves with the status of the answer. */
export async function put({ hub }: Lives, assetId: string, { bytes }: TestFile): Promise<number> {
  const { url } = await hub.invoke('repositories_IssueAssetUploadUrl', { assetId });
  return (await callUrl(String(url), { method: 'PUT', body: bytes })).status;
}

/** Uploads what is missing of a file up to a byte, by default all, in the resumable way. Resolves with the status of the answer. */
export async function patch(
  { hub }: Lives,
  assetId: string,
  { bytes }: TestFile,
  end = bytes.length,
): Promise<number> {
  const { url } = await hub.invoke('repositories_IssueAssetUploadUrl', { assetId });
  const tus = { 'tus-resumable': '1.0.0' };
  const asked = await callUrl(String(url), { method: 'HEAD', headers: tus });
  if (asked.status !== 200) return asked.status;
  const offset = Number(asked.headers['upload-offset']);
  if (offset === bytes.length) return 200;
  const headers = {
    ...tus,
    'content-type': 'application/offset+octet-stream',
    'upload-offset': offset,
  };
  const body = bytes.subarray(offset, end);
  return (await callUrl(String(url), { method: 'PATCH', headers, body })).status;
}

/** The bytes that the hub serves for an asset are those announced. */
export async function mustServe({ hub }: Lives, assetId: string, file: TestFile): Promise<void> {
  const { url } = await hub.invoke('repositories_IssueAssetDownloadUrl', { assetId });
  const { status, bytes } = await callUrl(String(url));
  expect([status, fileWith(bytes).digest]).toEqual([200, file.digest]);
}

type Send = (scene: Lives, assetId: string, file: TestFile) => Promise<number>;

/** After a crash an asset is available with its bytes or not at all, and the same upload succeeds. */
export async function mustRecover(scene: Lives, assetId: string, file: TestFile, send: Send): Promise<void> {
  if ((await statusOf(scene, assetId)) === 'Available') await mustServe(scene, assetId, file);
  await expect.poll(() => send(scene, assetId, file), { timeout: 120_000 }).toBeLessThan(300);
  expect(await statusOf(scene, assetId)).toBe('Available');
  await mustServe(scene, assetId, file);
}

/** What was deleted goes with the next deletion, whose collector takes all that is marked. */
export async function mustCollect(scene: Lives): Promise<void> {
  const file = fileOf(10);
  const assetId = await create(scene, file);
  expect(await put(scene, assetId, file)).toBe(200);
  await scene.hub.invoke('repositories_DeleteAsset', { assetId });
  const marked = () =>
    scene.database.db
      .selectFrom('assets')
      .select('asset_id')
      .where('status', '=', 'Deleting')
      // The others wait until no URL can bring their bytes back.
      .where('storage_status', '<>', 'Missing')
      .execute();
  await expect.poll(marked, { timeout: 60_000 }).toEqual([]);
}

/** When leftovers of today are old enough to be swept. */
export const daysLater = (): Date => new Date(Date.now() + 3 * 86_400_000);

/** Sweeps stores days later, after which there are only available assets. Resolves with their keys. */
export async function sweptKeys(db: Database, storages: Storages): Promise<string[]> {
  const executor = createExecutor({
    handlers,
    db,
    openingDb: db,
    now: daysLater,
    vault: testVault,
    storages,
    nodeId: () => undefined,
    settings: instanceSettings(testConfig),
    afterCommit: () => undefined,
    log: { error: (fields, message) => console.error(message, fields) },
  });
  await sweepStores({ executor, storages, now: daysLater });
  const kept = await db.selectFrom('assets').select(['status', 'storage_key']).execute();
  expect(kept.filter(({ status }) => status !== 'Available')).toEqual([]);
  return kept.map((row) => row.storage_key).toSorted();
}
