import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, inject, onTestFinished, test } from 'vitest';
import { callUrl, fileOf, fileWith, type TestFile } from '../../test/asset-scene.ts';
import { ownDatabase, type FreshDatabase } from '../../test/fresh-database.ts';
import { startHubProgram, type HubProgram } from '../../test/hub-program.ts';
import { testConfig } from '../../test/fresh-executor.ts';
import { s3Double, type S3Double } from '../../test/s3-double/s3-double.ts';
import { storagesOf } from '../../test/test-storages.ts';
import { testVault } from '../../test/test-vault.ts';
import { handlers } from '../actions/index.ts';
import { createDiskStorage } from '../assets/disk/disk-storage.ts';
import { instanceSettings } from '../config/instance-settings.ts';
import { createExecutor } from '../executor/executor.ts';
import { sweepStores } from '../jobs/sweep-stores.ts';

const rounds = inject('figures').crashRounds;
const killAt = fileURLToPath(new URL('../../test/kill-at.ts', import.meta.url));

/** One data folder and one database over many lives of a hub. */
interface Lives {
  readonly hub: HubProgram;
  readonly database: FreshDatabase;
  readonly dataDir: string;
  readonly repositoryId: string;
  /** Has the hub die at a step, such as `before rename`. */
  order(moment: string): Promise<void>;
  /** Waits for its death and starts it again. */
  restart(): Promise<void>;
}

async function lives(env: Readonly<Record<string, string>> = {}): Promise<Lives> {
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
      // A dead node is known to be dead once its lease is over, which takes half a minute.
      await database.db
        .updateTable('cluster_nodes')
        .set({ lease_until: new Date(0) })
        .execute();
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

async function create({ hub, repositoryId }: Lives, file: TestFile): Promise<string> {
  const announced = { repositoryId, size: file.bytes.length, digest: file.digest };
  return String((await hub.invoke('repositories_CreateAsset', announced))['assetId']);
}

const statusOf = async ({ hub }: Lives, assetId: string) =>
  String((await hub.invoke('repositories_GetAssetDetails', { assetId }))['status']);

async function put({ hub }: Lives, assetId: string, { bytes }: TestFile): Promise<number> {
  const { url } = await hub.invoke('repositories_IssueAssetUploadUrl', { assetId });
  return (await callUrl(String(url), { method: 'PUT', body: bytes })).status;
}

async function patch({ hub }: Lives, assetId: string, { bytes }: TestFile): Promise<number> {
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
  return (await callUrl(String(url), { method: 'PATCH', headers, body: bytes.subarray(offset) })).status;
}

/** The bytes that the hub serves for an asset are those announced. */
async function mustServe({ hub }: Lives, assetId: string, file: TestFile): Promise<void> {
  const { url } = await hub.invoke('repositories_IssueAssetDownloadUrl', { assetId });
  const { status, bytes } = await callUrl(String(url));
  expect([status, fileWith(bytes).digest]).toEqual([200, file.digest]);
}

/** After a crash an asset is available with its bytes or not at all, and the same upload succeeds. */
async function mustRecover(scene: Lives, assetId: string, file: TestFile, send: typeof put): Promise<void> {
  if ((await statusOf(scene, assetId)) === 'Available') await mustServe(scene, assetId, file);
  await expect.poll(() => send(scene, assetId, file), { timeout: 120_000 }).toBeLessThan(300);
  expect(await statusOf(scene, assetId)).toBe('Available');
  await mustServe(scene, assetId, file);
}

/** What was deleted goes with the next deletion, whose collector takes all that is marked. */
async function mustCollect(scene: Lives): Promise<void> {
  const file = fileOf(10);
  const assetId = await create(scene, file);
  expect(await put(scene, assetId, file)).toBe(200);
  await scene.hub.invoke('repositories_DeleteAsset', { assetId });
  const marked = () =>
    scene.database.db.selectFrom('assets').select('asset_id').where('status', '=', 'Deleting').execute();
  await expect.poll(marked, { timeout: 60_000 }).toEqual([]);
}

/** Behind the sweep there is an object for each asset, and nothing else. */
async function mustHaveNoLeak({ dataDir, database: { db } }: Lives): Promise<void> {
  const now = () => new Date(Date.now() + 3 * 86_400_000);
  const storages = storagesOf(db, { disk: createDiskStorage(join(dataDir, 'assets')), now });
  const executor = createExecutor({
    handlers,
    db,
    openingDb: db,
    now,
    vault: testVault,
    storages,
    nodeId: () => undefined,
    settings: instanceSettings(testConfig),
    afterCommit: () => undefined,
    log: { error: (fields, message) => console.error(message, fields) },
  });
  await sweepStores({ executor, storages, now });
  const kept = await db.selectFrom('assets').select(['status', 'storage_key']).execute();
  expect(new Set(kept.map(({ status }) => status))).toEqual(new Set(['Available']));
  const objects = await storages.disk.list();
  expect(objects.map(({ key }) => key).toSorted()).toEqual(kept.map((row) => row.storage_key).toSorted());
  for (const name of ['tmp', 'partials']) expect(await entries(join(dataDir, 'assets', name))).toEqual([]);
}

const entries = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

const steps = {
  'after a part of the temporary file': 'after write',
  'before the temporary file is durable': 'before datasync',
  'before the file gets its name': 'before rename',
  'after the file got its name': 'after rename',
  'after its name is durable, before the row': 'after sync',
  'after the row, before the answer': 'before answer',
} as const;

test(
  'a hub that dies at any step of an upload to its data folder or of a deletion has an asset whole or not at all, and leaks nothing',
  { timeout: 900_000 },
  async () => {
    const scene = await lives();
    for (let round = 0; round < rounds; round += 1) {
      for (const [step, moment] of Object.entries(steps))
        await dieDuringUpload(scene, { step, moment, send: round % 2 === 0 ? put : patch });
      for (const moment of ['before rm', 'after rm']) await dieDuringDeletion(scene, moment);
    }
    await mustHaveNoLeak(scene);
  },
);

async function dieDuringUpload(
  scene: Lives,
  { step, moment, send }: { readonly step: string; readonly moment: string; readonly send: typeof put },
): Promise<void> {
  const file = fileOf(1_500_000);
  const assetId = await create(scene, file);
  await scene.order(moment);
  await expect(send(scene, assetId, file), step).rejects.toThrow();
  await scene.restart();
  await mustRecover(scene, assetId, file, send);
}

async function dieDuringDeletion(scene: Lives, moment: string): Promise<void> {
  const file = fileOf(200_000);
  const assetId = await create(scene, file);
  expect(await put(scene, assetId, file)).toBe(200);
  await scene.order(moment);
  await scene.hub.invoke('repositories_DeleteAsset', { assetId }).catch(() => undefined);
  await scene.restart();
  await mustCollect(scene);
  await mustRecover(scene, await create(scene, file), file, put);
}

/** Has the double kill the hub at a step of a request. */
function killDuring(store: S3Double, scene: Lives, step: 'storesAfter' | `answersAfter ${string}`): void {
  const { hub } = scene;
  const [name, method] = step.split(' ');
  const die = (key: string): Promise<void> => {
    // A hub checks its store with small objects of other names.
    if (!key.includes('/sha256/')) return Promise.resolve();
    Object.assign(store.profile, harmless);
    return hub.kill();
  };
  if (name === 'storesAfter') store.profile.storesAfter = die;
  else store.profile.answersAfter = (done, key) => (done === method ? die(key) : Promise.resolve());
}

const harmless = {
  storesAfter: () => Promise.resolve(),
  answersAfter: () => Promise.resolve(),
};

test(
  'a hub that dies at any step of an upload to a store, of its verification or of a deletion there loses and leaks nothing',
  { timeout: 900_000 },
  async () => {
    await using store = await s3Double();
    const { endpoint, bucket, accessKeyId, secretAccessKey } = store.settings;
    const scene = await lives({
      CORRAL_S3_ENDPOINT: endpoint,
      CORRAL_S3_BUCKET: bucket,
      CORRAL_S3_ACCESS_KEY_ID: accessKeyId,
      CORRAL_S3_SECRET_ACCESS_KEY: secretAccessKey,
    });
    for (let round = 0; round < rounds; round += 1) {
      for (const step of ['storesAfter', 'answersAfter PUT'] as const) {
        const file = fileOf(300_000);
        const assetId = await create(scene, file);
        killDuring(store, scene, step);
        await expect(put(scene, assetId, file), step).rejects.toThrow();
        await scene.restart();
        await mustRecover(scene, assetId, file, put);
      }
      await mustVerifyAfterKill(store, scene);
      const file = fileOf(300_000);
      const assetId = await create(scene, file);
      expect(await put(scene, assetId, file)).toBe(200);
      killDuring(store, scene, 'answersAfter DELETE');
      await scene.hub.invoke('repositories_DeleteAsset', { assetId }).catch(() => undefined);
      await scene.restart();
      await mustCollect(scene);
    }
    const kept = await scene.database.db.selectFrom('assets').select(['status', 'storage_key']).execute();
    expect(new Set(kept.map(({ status }) => status))).toEqual(new Set(['Available']));
    // A hub that is killed while it checks its store leaves an object of that check.
    const objects = [...store.objects.keys()].filter((key) => key.includes('/sha256/'));
    expect(objects.toSorted()).toEqual(kept.map((row) => row.storage_key).toSorted());
  },
);

/** A client that uploaded to the store itself finalizes again when the hub died meanwhile. */
async function mustVerifyAfterKill(store: S3Double, scene: Lives): Promise<void> {
  const file = fileOf(300_000);
  const assetId = await create(scene, file);
  const issue = async () =>
    (await scene.hub.invoke('repositories_IssueAssetUploadUrl', { assetId })) as {
      verifiedUrl: string;
      headers: Record<string, string>;
    };
  // Until a hub has checked its store, all bytes go through the hub.
  const { origin } = new URL(store.settings.endpoint);
  await expect.poll(async () => new URL((await issue()).verifiedUrl).origin).toBe(origin);
  const { verifiedUrl, headers } = await issue();
  expect((await callUrl(verifiedUrl, { method: 'PUT', headers, body: file.bytes })).status).toBe(200);
  killDuring(store, scene, 'answersAfter HEAD');
  const finalize = () => scene.hub.invoke('repositories_FinalizeAssetUpload', { assetId });
  await expect(finalize()).rejects.toThrow();
  await scene.restart();
  await expect.poll(() => finalize().catch(String), { timeout: 120_000 }).toEqual({});
  expect(await statusOf(scene, assetId)).toBe('Available');
  await mustServe(scene, assetId, file);
}
