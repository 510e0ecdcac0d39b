import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { callUrl } from '../../../test/asset-scene.ts';
import { backedUpHub, sealNow, storeEnv, type BackedUpHub } from '../../../test/backed-up-hub.ts';
import { foldedMigrations } from '../../../test/folded-migrations.ts';
import { startHubProgram, type HubProgram } from '../../../test/hub-program.ts';
import { schemaOf } from '../../../test/schema-of.ts';
import {
  mustTellItsEnd,
  tellThatOneFires,
  webhookWithWaitingMessage,
} from '../../../test/waiting-messages.ts';
import { loadConfig } from '../../config/config.ts';
import { openExistingDatabase } from '../open-existing-database.ts';
import { knownMigrations, migrateTo } from '../../platform/db/migrate.ts';
import { appliedMigrations } from '../../platform/db/schema-state.ts';
import { openSingleConnection } from '../../platform/db/single-connection.ts';
import { beginRestore, hasUnfinishedRestore } from '../../platform/files/unfinished-restore.ts';
import { checkBackup } from './check-backup.ts';
import { readManifest, mustHaveManifest, writeManifest } from './manifest.ts';
import { createProgress } from './progress.ts';

const silent = createProgress({ write() {} });
let hub: BackedUpHub;
/** With the key and the assets of stores. */
let full: string;
/** Without both. */
let plain: string;
let assetIds: { onDisk: string; inStore: string; later: string };
let waitingWebhookId: string;

beforeAll(async () => {
  hub = await backedUpHub();
  [full, plain] = [join(hub.folder, 'full'), join(hub.folder, 'plain')];
  const { onDisk, inStore } = hub.repositoryIds;
  assetIds = { onDisk: await hub.upload(onDisk), inStore: await hub.upload(inStore), later: '' };
  waitingWebhookId = await webhookWithWaitingMessage(hub);
  await tellThatOneFires(hub);
  await sealNow({ CORRAL_DATA_DIR: hub.dataDir });
}, 180_000);
afterAll(async () => {
  await hub.stop();
  await hub.remove();
});

const keyOf = () => readFileSync(join(hub.dataDir, 'secret.key'), 'utf8').trim();
const backUp = (folder: string, ...more: string[]) =>
  hub.run(['backup', folder, '--data-dir', hub.dataDir, ...more]);
const restore = (folder: string, dataDir: string, env = {}) =>
  hub.run(['restore', folder, '--data-dir', dataDir], env);

/** All that a restored hub must have. */
async function mustBeWhole(program: HubProgram, settings: Record<string, string>): Promise<void> {
  for (const assetId of [assetIds.onDisk, assetIds.inStore]) {
    const { url } = await program.invoke('repositories_IssueAssetDownloadUrl', { assetId });
    const { bytes } = await callUrl(String(url));
    expect(bytes.equals(hub.files.get(assetId)!.bytes)).toBe(true);
  }
  // What waited is sent by nobody, and says so.
  expect(
    await program.invoke('projects_QueryWebhookDeliveries', { webhookId: waitingWebhookId }),
  ).toMatchObject({ deliveries: [{ status: 'Failed', lastError: 'The hub was restored from a backup.' }] });
  await mustTellItsEnd(program, settings);
  const { deviceId } = hub.device;
  const details = await program.invoke('devices_GetDeviceDetails', { deviceId });
  expect(details).toMatchObject({ isConnected: false });
  const { value } = await program.invoke('devices_GetDeviceProperty', { deviceId, name: 'round' });
  expect(value).toBeGreaterThan(0);
  const link = await hub.device.connect(program.url);
  await (await link.rpc()).invoke('devices_SetDeviceProperty', { deviceId, name: 'restored', value: true });
  link.connection.close('');
  expect(await hub.run(['audit', 'verify'], settings)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^The audit log fits its seals: /),
  });
}

test('the audit log is checked with the public key that was noted before, and with no other', async () => {
  const verify = (...more: string[]) =>
    hub.run(['audit', 'verify', '--json', '--data-dir', hub.dataDir, ...more]);
  const { stdout } = await verify();
  const { publicKey } = JSON.parse(stdout) as { publicKey: string };
  expect(await verify('--public-key', publicKey)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(publicKey),
  });
  const other = Buffer.alloc(32, 7).toString('base64');
  expect((await verify('--public-key', other)).code).toBe(1);
});

test('a backup of a hub that runs and is written to names what it has and what it lacks', async () => {
  const made = await backUp(plain);
  expect(made).toMatchObject({ code: 0 });
  const manifest = await mustHaveManifest(plain);
  expect(manifest.assets).toMatchObject({ copied: 1, copiedBytes: 2_500_000, inStores: 1, unreadable: 0 });
  expect(made.stdout).toContain('1 assets of 2.4 MiB, 2.4 MiB of them new');
  expect(made.stdout).toContain('1 assets of 700 bytes are in S3-compatible stores and not in the backup');
  expect(made.stdout).toContain(
    `The key of the secrets is not in the backup: keep a copy of ${hub.dataDir}/secret.key`,
  );
  const files = readdirSync(plain, { recursive: true, withFileTypes: true });
  const open = files.filter((entry) => statSync(join(entry.parentPath, entry.name)).mode & 0o077);
  expect(open.map(({ name }) => name)).toEqual([]);
  expect(await hub.run(['backup', 'verify', plain])).toMatchObject({ code: 0 });
});

test('a second backup into the folder adds what is new, and removes what is gone once it is complete', async () => {
  assetIds.later = await hub.upload(hub.repositoryIds.onDisk);
  expect((await backUp(full)).stdout).toContain('2 assets of 2.4 MiB');
  const first = await mustHaveManifest(full);
  const gone = first.assets.list.path.split('/')[0]!;
  await rm(join(full, 'assets/objects', keyInBackupOf(full, assetIds.later)));
  const stray = join(full, 'assets/objects/aaaa/sha256/00/00/0000');
  await mkdir(join(stray, '..'), { recursive: true });
  await writeFile(stray, 'of an asset that was deleted');
  const made = await backUp(full, '--with-secret-key', '--with-object-stores');
  expect(made).toMatchObject({ code: 0 });
  expect(made.stdout).toContain('3 assets of 2.4 MiB, 1.4 KiB of them new');
  expect(made.stdout).toContain('The key of the secrets is in the backup');
  expect(existsSync(join(full, gone))).toBe(false);
  expect(existsSync(stray)).toBe(false);
  expect(await checkBackup(full, silent)).toMatchObject({ assets: { copied: 3, inStores: 0 } });
});

/** The path of the file of an asset below the objects of a backup. */
function keyInBackupOf(folder: string, assetId: string): string {
  const hex = hub.files.get(assetId)!.digest.slice('sha256_'.length);
  const files = readdirSync(join(folder, 'assets/objects'), { recursive: true }) as string[];
  return files.find((path) => path.endsWith(hex))!;
}

test('a restore that is killed leaves nothing that a hub starts on, and goes on when it is run again; the hub then is what it was', async () => {
  const dataDir = join(hub.folder, 'restored');
  const main = fileURLToPath(new URL('../../main.ts', import.meta.url));
  const args = ['restore', full, '--data-dir', dataDir];
  // It is killed in its transaction, where it waits for the store to answer about an asset.
  const { profile } = hub.store;
  const { answersAfter } = profile;
  const [asked, killed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  profile.answersAfter = () => (asked.resolve(), killed.promise);
  const child = spawn(process.execPath, [main, ...args], {
    // Without the variables of the tests, which are no settings.
    env: { PATH: process.env['PATH'], ...storeEnv },
    stdio: 'ignore',
  });
  const exited = once(child, 'exit');
  await Promise.race([asked.promise, exited]);
  child.kill('SIGKILL');
  expect(await exited).toEqual([null, 'SIGKILL']);
  profile.answersAfter = answersAfter;
  killed.resolve();
  expect(await hub.run(['--data-dir', dataDir], { CORRAL_PORT: '0' })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('CORRAL_DATA_DIR: a restore into') as string,
  });
  hub.store.objects.clear();
  const done = await restore(full, dataDir);
  expect(done).toMatchObject({ code: 0 });
  expect(done.stdout).toContain('The audit log fits its seals');
  expect(readFileSync(join(dataDir, 'secret.key'), 'utf8').trim()).toBe(keyOf());
  const program = await startHubProgram({ dataDir, env: storeEnv });
  try {
    // New rows are numbered behind the restored ones, so they can be sealed, and the whole log still fits.
    await program.invoke('projects_CreateProject', { name: 'New' });
    await sealNow({ CORRAL_DATA_DIR: dataDir });
    await mustBeWhole(program, { CORRAL_DATA_DIR: dataDir });
    expect(await schemaOf({ CORRAL_DATA_DIR: dataDir })).toEqual(
      await schemaOf({ CORRAL_DATA_DIR: hub.dataDir }),
    );
  } finally {
    await program.stop();
  }
});

test('a backup moves to a server of its own, as a role without rights over the server, and into no database twice', async () => {
  const settings = { CORRAL_DATA_DIR: join(hub.folder, 'own'), CORRAL_SECRET_KEY: keyOf() };
  await using server = await ownServer();
  const env = { ...settings, CORRAL_DATABASE_URL: server.url };
  expect(await restore(plain, settings.CORRAL_DATA_DIR, env)).toMatchObject({ code: 0 });
  const again = await restore(plain, settings.CORRAL_DATA_DIR, env);
  expect(again).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('only into an empty database') as string,
  });
  const program = await startHubProgram({ dataDir: settings.CORRAL_DATA_DIR, env: { ...storeEnv, ...env } });
  try {
    await mustBeWhole(program, env);
  } finally {
    await program.stop();
  }
});

test('a restore that was interrupted goes on only in the database that it has filled itself, with the same backup', async () => {
  await using server = await ownServer();
  const dataDirs = [join(hub.folder, 'filling'), join(hub.folder, 'mistaken')] as const;
  const envOf = ({ url }: { readonly url: string }) => ({
    CORRAL_SECRET_KEY: keyOf(),
    CORRAL_DATABASE_URL: url,
  });
  // As it is where the power was cut before the database was filled, and then before the mark was removed.
  const [mark] = await Promise.all(dataDirs.map((dataDir) => beginRestore(dataDir)));
  const file = join(dataDirs[0], 'restore.unfinished');
  const marked = await readFile(file, 'utf8');
  expect(marked).toContain(mark);
  expect(await restore(plain, dataDirs[0], envOf(server))).toMatchObject({ code: 0 });
  expect(existsSync(file)).toBe(false);
  const refused = { code: 2, stderr: expect.stringContaining('only into an empty database') as string };
  expect(await restore(plain, dataDirs[1], envOf(server))).toMatchObject(refused);
  expect(await hasUnfinishedRestore(dataDirs[1])).toBe(true);
  await writeFile(file, marked);
  expect(await restore(full, dataDirs[0], envOf(server))).toMatchObject(refused);
});

test('a backup of an older schema is restored, brought to that of this hub, and freed of what only held on the other server', async () => {
  await using older = await ownServer();
  await using server = await ownServer();
  const single = await openSingleConnection({ url: older.url });
  await migrateTo(single.db, '0001-first-release');
  await single.client.query(`
    insert into users (user_id, email, display_name, is_admin, password_hash, created_at) values ('u', 'a@b.c', 'A', true, '', now());
    insert into user_sessions values ('s', '', 'u', '', now(), now(), 60, now() + interval '1 day');
    insert into cluster_nodes (node_id, joined_at, lease_until, last_heartbeat_at) values ('n', now(), now() + interval '1 day', now());
    insert into projects (project_id, name, created_at) values ('p', 'Plant', now());
    insert into fact_keys (project_id, property, path, state, built_after, used_at) values ('p', 'a', 'b', 'Building', '999999999999', now());
    insert into audit_actions (action_id, actor, action, data, status, created_at, position) values ('a', '{}', 'x', '{}', 'Succeeded', now(), 777777777777)`);
  await single.close();
  const [folder, CORRAL_DATA_DIR] = [join(hub.folder, 'older'), join(hub.folder, 'fresh')];
  const from = { CORRAL_DATA_DIR, CORRAL_DATABASE_URL: older.url };
  expect(await hub.run(['backup', folder], from)).toMatchObject({ code: 0 });
  await writeManifest(folder, { ...(await mustHaveManifest(folder)), migrations: [...foldedMigrations] });
  const to = { CORRAL_DATA_DIR, CORRAL_DATABASE_URL: server.url };
  expect(await hub.run(['restore', folder], to)).toMatchObject({ code: 0 });
  const restored = await openSingleConnection({ url: server.url });
  expect(await appliedMigrations(restored.db)).toEqual(await knownMigrations());
  const { rows } = await sql`
    select (select name from projects) as project, (select count(*) from user_sessions) as sessions,
      (select count(*) from cluster_nodes where lease_until > now()) as leases,
      (select built_after < pg_snapshot_xmin(pg_current_snapshot()) from fact_keys) as "areFactsBuilt",
      audit_position() > 777777777777 as "isPositionBehind",
      (select nextval(pg_get_serial_sequence('fact_keys', 'key_id')) > max(key_id) from fact_keys) as "isKeyNew"`.execute(
    restored.db,
  );
  expect(rows).toEqual([
    { project: 'Plant', sessions: 0, leases: 0, areFactsBuilt: true, isPositionBehind: true, isKeyNew: true },
  ]);
  await restored.close();
});

/** An empty database on the server of the tests, and its owner. */
async function ownServer(): Promise<{ readonly url: string } & AsyncDisposable> {
  const { host, ...admin } = inject('postgres');
  const name = `restored_${randomBytes(6).toString('hex')}`;
  const urlOf = (user: string, password: string, database: string) =>
    `postgres://${user}:${encodeURIComponent(password)}@localhost/${database}?host=${encodeURIComponent(host)}`;
  const settings = { CORRAL_DATABASE_URL: urlOf(admin.user, admin.password, admin.database) };
  const { db, close } = await openExistingDatabase(loadConfig({ argv: [], env: settings }));
  await sql`create role ${sql.id(name)} login password 'of the owner'`.execute(db);
  await sql`create database ${sql.id(name)} owner ${sql.id(name)}`.execute(db);
  return {
    url: urlOf(name, 'of the owner', name),
    async [Symbol.asyncDispose]() {
      await sql`drop database ${sql.id(name)} with (force)`.execute(db);
      await sql`drop role ${sql.id(name)}`.execute(db);
      await close();
    },
  };
}

test('one flipped bit in any file is found, and nothing is restored', async () => {
  const { tables, assets, secretKey } = await mustHaveManifest(full);
  const largest = tables.toSorted((one, other) => other.sizeBytes - one.sizeBytes)[0]!;
  const object = `assets/objects/${keyInBackupOf(full, assetIds.onDisk)}`;
  for (const path of ['manifest.json', largest.path, assets.list.path, secretKey.file!.path, object]) {
    const bytes = await readFile(join(full, path));
    const at = Math.floor(bytes.length / 2);
    const flip = () => {
      bytes.writeUInt8(bytes.readUInt8(at) ^ 4, at);
      writeFileSync(join(full, path), bytes);
    };
    flip();
    await expect(checkBackup(full, silent)).rejects.toThrow(/^The backup is damaged: /);
    if (path === object) {
      const target = join(hub.folder, 'never');
      const [restored, checked] = await Promise.all([
        restore(full, target),
        hub.run(['backup', 'verify', full]),
      ]);
      expect([restored, checked]).toEqual([
        expect.objectContaining({ code: 1, stdout: '' }),
        expect.objectContaining({ code: 1, stderr: expect.stringContaining(object) }),
      ]);
      expect(existsSync(target)).toBe(false);
    }
    flip();
    await checkBackup(full, silent);
  }
  await rm(join(full, object));
  await expect(checkBackup(full, silent)).rejects.toThrow(`${object} are missing`);
});

test('a backup that cannot be restored here is refused before anything is changed', async () => {
  const target = join(hub.folder, 'refused');
  const refusalOf = async (folder: string, dataDir = target, env = {}) => {
    const { code, stdout, stderr } = await restore(folder, dataDir, env);
    expect({ code, stdout, exists: existsSync(target) }).toEqual({ code: 2, stdout: '', exists: false });
    return stderr;
  };
  const another = { CORRAL_SECRET_KEY: randomBytes(32).toString('base64') };
  const newer = join(hub.folder, 'newer');
  execFileSync('cp', ['-a', plain, newer]);
  const manifest = await mustHaveManifest(newer);
  await writeManifest(newer, { ...manifest, migrations: [...manifest.migrations, '9999-of-tomorrow'] });
  const older = join(hub.folder, 'too-old');
  execFileSync('cp', ['-a', plain, older]);
  await writeManifest(older, { ...manifest, migrations: foldedMigrations.slice(0, 40) });
  const refusals = [
    refusalOf(join(hub.folder, 'none')),
    refusalOf(plain),
    refusalOf(plain, target, another),
    refusalOf(plain, hub.dataDir),
    refusalOf(newer),
    refusalOf(older),
  ];
  expect(await Promise.all(refusals)).toEqual([
    expect.stringContaining('There is no complete backup in'),
    expect.stringContaining('CORRAL_SECRET_KEY: the key of the secrets ('),
    expect.stringContaining('sealed under another key'),
    expect.stringContaining('there is a database in'),
    expect.stringContaining('made by a newer hub'),
    expect.stringContaining('The backup is from before the first release of Corral: restore it with commit'),
  ]);
});

test('a folder with anything else, or with the backup of another Corral, stays as it is', async () => {
  const other = join(hub.folder, 'other');
  await mkdir(other);
  await writeFile(join(other, 'notes.txt'), 'mine');
  expect(await backUp(other)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('notes.txt') as string,
  });
  expect(readdirSync(other)).toEqual(['notes.txt']);
  const manifest = (await readManifest(plain))!;
  await writeManifest(plain, { ...manifest, instanceId: 'another' });
  expect((await backUp(plain)).stderr).toContain('has the backup of another Corral');
  expect((await hub.run(['backup'])).stderr).toContain('Name one folder');
});

test('an asset that the disk cannot read is named, and the rest is backed up', async () => {
  const hex = hub.files.get(assetIds.onDisk)!.digest.slice('sha256_'.length);
  const objects = join(hub.dataDir, 'assets/objects');
  const path = (readdirSync(objects, { recursive: true }) as string[]).find((name) => name.endsWith(hex))!;
  const failReads = fileURLToPath(new URL('../../../test/fail-reads.ts', import.meta.url));
  const made = await hub.run(['backup', join(hub.folder, 'unread'), '--data-dir', hub.dataDir, '--json'], {
    NODE_OPTIONS: `--import ${failReads}`,
    FAILING_READS: join(objects, path),
  });
  expect(made.code).toBe(1);
  expect(JSON.parse(made.stdout)).toMatchObject({
    assets: { copied: 1, unreadable: 1 },
    problems: [expect.stringMatching(`${hex} .* The disk cannot read the stored bytes`) as string],
  });
});

test('an asset whose bytes are lost is named, and the rest is backed up', async () => {
  await rm(join(hub.dataDir, 'assets/objects', keyInBackupOf(full, assetIds.later)));
  const made = await backUp(join(hub.folder, 'lossy'), '--json');
  expect(made.code).toBe(1);
  expect(JSON.parse(made.stdout)).toMatchObject({
    assets: { copied: 1, unreadable: 1 },
    problems: [expect.stringContaining(keyInBackupOf(full, assetIds.later).slice(-64)) as string],
  });
});
