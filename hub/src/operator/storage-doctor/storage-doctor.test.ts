import { readFileSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ids, type Id } from '@corral/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callUrl, fileOf, type TestFile } from '../../../test/asset-scene.ts';
import { storeEnv } from '../../../test/backed-up-hub.ts';
import { startHubProgram, type HubProgram } from '../../../test/hub-program.ts';
import { openStore } from '../../../test/open-store.ts';
import { runHub } from '../../../test/run-hub.ts';
import { s3Server } from '../../../test/s3-server.ts';
import { storageKey } from '../../domains/assets/storage/storage-key.ts';
import { loadConfig } from '../../config/config.ts';
import { copyDatabase } from '../../platform/postgres/fixtures/hub-under-test.ts';
import { digestBytes } from '../../domains/assets/sql/assets.ts';
import { holdAssets } from '../../platform/db/backup-lock.ts';
import { openSingleConnection } from '../../platform/db/single-connection.ts';
import { openExistingDatabase, type ExistingDatabase } from '../open-existing-database.ts';

let folder: string;
let dataDir: string;
let hub: HubProgram;
let database: ExistingDatabase;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corral-storage-doctor-'));
  await chmod(folder, 0o711);
  dataDir = join(folder, 'data');
  await copyDatabase(dataDir);
  hub = await startHubProgram({ dataDir, env: storeEnv });
  database = await openExistingDatabase(loadConfig({ argv: [], env: { CORRAL_DATA_DIR: dataDir } }));
});
afterAll(async () => {
  await database?.close();
  await hub?.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
});

/** Runs the command and returns its exit code, and its findings as lines such as `wrong Objects: …`. */
async function doctor(...args: string[]) {
  const command = ['storage', 'doctor', '--json', '--data-dir', dataDir, ...args];
  const { code, stdout, stderr } = await runHub(command, storeEnv);
  expect(stderr).toBe('');
  const { findings } = JSON.parse(stdout) as { findings: { check: string; state: string; text: string }[] };
  return { code, lines: findings.map(({ check, state, text }) => `${state} ${check}: ${text}`) };
}

const repository = async (name: string): Promise<string> =>
  String((await hub.invoke('repositories_CreateRepository', { name })).repositoryId);

async function create(repositoryId: string, { bytes, digest }: TestFile): Promise<Id<'asset'>> {
  const input = { repositoryId, size: bytes.length, digest };
  return (await hub.invoke('repositories_CreateAsset', input)).assetId as Id<'asset'>;
}

async function upload(repositoryId: string, file: TestFile): Promise<Id<'asset'>> {
  const assetId = await create(repositoryId, file);
  const { url } = await hub.invoke('repositories_IssueAssetUploadUrl', { assetId });
  expect((await callUrl(String(url), { method: 'PUT', body: file.bytes })).status).toBeLessThan(300);
  return assetId;
}

const rowOf = (assetId: Id<'asset'>) =>
  database.db
    .selectFrom('assets')
    .selectAll()
    .where('asset_id', '=', ids.asset.raw(assetId))
    .executeTakeFirstOrThrow();
const statusOf = async (assetId: Id<'asset'>) => {
  const { storage, status } = (await hub.invoke('repositories_GetAssetDetails', { assetId })) as {
    status: string;
    storage: { status: string };
  };
  return `${status} ${storage.status}`;
};

/** The damaged assets as Prometheus reads them, by status. */
async function damaged(): Promise<string[]> {
  const { bytes } = await callUrl(new URL('/metrics', hub.url).href);
  const lines = bytes.toString().matchAll(/^corral_damaged_assets\{status="(\w+)"\} (\d+)$/gm);
  return [...lines].map(([, status, count]) => `${status} ${count}`);
}

const inAssets = (...path: string[]): string => join(dataDir, 'assets', ...path);
const fileOfAsset = async (assetId: Id<'asset'>) => inAssets('objects', (await rowOf(assetId)).storage_key);

/** Writes a file that looks as if it were two days old. */
async function writeOld(path: string, bytes: Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, bytes);
  const old = new Date(Date.now() - 2 * 86_400_000);
  await utimes(path, old, old);
}

const healthy = [
  expect.stringMatching(/^right Stored bytes: \d+ assets were checked by their size/),
  'right Leftovers: Crashes and abandoned uploads left nothing behind.',
  'right Deletions: No deleted asset is left in the stores for longer than an hour.',
];

test('compares the data folder with the database, reports the differences, and repairs them', async () => {
  const repositoryId = await repository('here');
  const files = [fileOf(1000), fileOf(2000), fileOf(3000), fileOf(4000)] as const;
  const [missing, short, flipped, deleted] = [
    await upload(repositoryId, files[0]),
    await upload(repositoryId, files[1]),
    await upload(repositoryId, files[2]),
    await upload(repositoryId, files[3]),
  ];
  expect(await doctor()).toEqual({ code: 0, lines: healthy });

  // While it is held, no running job deletes what the test marks.
  const backup = await openSingleConnection(database.address);
  await holdAssets(backup.db);
  await rm(await fileOfAsset(missing));
  writeFileSync(await fileOfAsset(short), files[1].bytes.subarray(1));
  const other = Buffer.from(files[2].bytes);
  other.writeUInt8(other.readUInt8(7) ^ 1, 7);
  writeFileSync(await fileOfAsset(flipped), other);
  const [stray, left] = [fileOf(500), fileOf(600)];
  const { repository_id: owner } = await rowOf(missing);
  const strayKey = storageKey('', owner, digestBytes(stray.digest));
  await writeOld(inAssets('objects', strayKey), stray.bytes);
  await writeOld(inAssets('partials', 'abandoned'), stray.bytes);
  const unfinished = await create(repositoryId, left);
  await writeOld(await fileOfAsset(unfinished), left.bytes);
  await database.db
    .updateTable('assets')
    .set({ status: 'Deleting', touched_at: new Date(Date.now() - 7_200_000) })
    .where('asset_id', '=', ids.asset.raw(deleted))
    .execute();

  const wrong = (more = '', would = (_what: string) => '') => [
    `wrong Stored bytes: There is 1 asset without bytes in the store: ${missing}. ${more}Upload the same file again to heal each.`,
    `wrong Stored bytes: There is 1 asset whose bytes do not match their digest: ${short}. ${more}Upload the same file again to heal each.`,
    `wrong Unfinished uploads: 1 upload in the data folder was abandoned: abandoned.${would('delete the bytes that arrived')}`,
    `wrong Objects: 1 object belongs to no asset: ${strayKey}.${would('delete them')}`,
    `wrong Uploads: 1 asset has all its bytes, but did not become available: ${unfinished}.${would('finish the upload')}`,
    `wrong Deletions: 1 deleted asset was not removed from the store: ${deleted}.${would('delete them')}`,
  ];
  expect(await doctor()).toEqual({ code: 1, lines: wrong() });
  const would = wrong('--fix would record that. ', (what) => ` --fix would ${what}.`);
  expect(await doctor('--fix', '--dry-run')).toEqual({ code: 1, lines: would });
  expect(await statusOf(missing)).toBe('Available Verified');

  const fixed = await doctor('--fix', '--read');
  expect(fixed.code).toBe(1);
  expect(fixed.lines).toEqual([
    expect.stringMatching(`^wrong Stored bytes: .* without bytes .*: ${missing}. That is recorded.`),
    expect.stringMatching(
      `^wrong Stored bytes: There are 2 assets whose bytes do not match .* That is recorded.`,
    ),
    expect.stringMatching(/^right Unfinished uploads: .* are deleted\.$/),
    expect.stringMatching(/^right Objects: .* They are marked for deletion\.$/),
    expect.stringMatching(/^right Uploads: .* The upload is finished\.$/),
    expect.stringMatching(/^wrong Deletions: 1 deleted asset was not removed .*: a backup is running/),
  ]);
  for (const [assetId, status] of [
    [missing, 'Available Missing'],
    [short, 'Available Mismatched'],
    [flipped, 'Available Mismatched'],
    [unfinished, 'Available Verified'],
  ] as const)
    expect(await statusOf(assetId)).toBe(status);
  expect(await damaged()).toEqual(['Missing 1', 'Mismatched 2', 'Error 0']);
  expect(await hub.invoke('instance_GetInstanceStatistics', {})).toMatchObject({
    damagedAssets: { count: 3, repositories: [{ repositoryId, name: 'here', count: 3 }] },
  });

  await backup.close();
  for (const [index, assetId] of [missing, short, flipped].entries())
    expect(await upload(repositoryId, files[index]!)).toBe(assetId);
  expect((await doctor('--fix')).code).toBe(0);
  expect(await damaged()).toEqual(['Missing 0', 'Mismatched 0', 'Error 0']);
  expect(await doctor('--read')).toMatchObject({ code: 0 });
  expect(() => readFileSync(inAssets('objects', strayKey))).toThrow(/ENOENT/);
});

test('[needs Go] compares an object store with the database, and reports when the store does not answer', async (context) => {
  const settings = await (await s3Server(context)).bucket();
  const repositoryId = await repository('there');
  const s3Config = { region: 'us-east-1', ...settings };
  await hub.invoke('repositories_SetS3Config', { repositoryId, s3Config });
  const [first, second] = [fileOf(1000), fileOf(2000)];
  const [missing, other] = [await upload(repositoryId, first), await upload(repositoryId, second)];
  expect(await doctor()).toEqual({ code: 0, lines: healthy });

  const store = openStore(settings);
  await store.delete((await rowOf(missing)).storage_key);
  const otherBytes = fileOf(2000);
  const { storage_key: key } = await rowOf(other);
  await store.delete(key);
  const expected = { sizeBytes: 2000, digest: Buffer.from(otherBytes.digest.slice(7), 'hex') };
  const options = { signal: AbortSignal.timeout(60_000), assetId: other };
  const pieces = (async function* () {
    yield otherBytes.bytes;
  })();
  await store.write(key, pieces, expected, options);
  const { code, lines } = await doctor('--fix');
  expect(code).toBe(1);
  expect(lines.slice(0, 2)).toEqual([
    expect.stringContaining(`without bytes in the store: ${missing}. That is recorded.`),
    expect.stringContaining(`whose bytes do not match their digest: ${other}. That is recorded.`),
  ]);
  expect([await statusOf(missing), await statusOf(other)]).toEqual([
    'Available Missing',
    'Available Mismatched',
  ]);
  for (const file of [first, second]) await upload(repositoryId, file);
  expect((await doctor()).code).toBe(0);

  // Without the setting that allows it the address of the store is refused.
  const refused = await runHub(['storage', 'doctor', '--data-dir', dataDir]);
  expect(refused.code).toBe(2);
  expect(refused.stdout).toMatch(/^unchecked +Stored bytes +The stores did not answer about 2 assets: /m);
  expect(refused.stdout).toMatch(/^unchecked +Leftovers +Not all stores could be listed: /m);
});

test('refuses unknown options, and a data folder without objects of assets', async () => {
  expect(await runHub(['storage'])).toMatchObject({
    code: 2,
    stderr: 'Say which: npm start -- storage doctor, move or claim; --help explains them.\n',
  });
  expect(await runHub(['storage', 'doctor', '--repair'])).toMatchObject({ code: 2 });
  const [dir, away] = [inAssets(), `${inAssets()}.away`];
  await rename(dir, away);
  const { code, lines } = await doctor('--fix');
  await rm(dir, { recursive: true, force: true });
  await rename(away, dir);
  expect(code).toBe(2);
  expect(lines[0]).toMatch(
    /^unchecked Stored bytes: The data folder has no object of an asset: is CORRAL_DATA_DIR/,
  );
});
