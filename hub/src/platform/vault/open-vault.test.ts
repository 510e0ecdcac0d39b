import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freshDatabase } from '../../../test/fresh-database.ts';
import { createVault } from './vault.ts';
import { loadConfig, type Config } from '../../config/config.ts';
import { missingKeyMessage, openVault } from './open-vault.ts';
import {
  existingInstanceKey,
  instanceKey,
  missingVaultKeys,
} from '../../domains/instance/sql/instance-keys.ts';

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'corral-vault-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

const config = (env: Record<string, string> = {}): Config =>
  loadConfig({
    argv: ['--data-dir', join(folder, 'data')],
    env,
    cwd: folder,
    hostname: 'x',
    isTerminal: false,
  });
const file = () => join(folder, 'data', 'secret.key');
/** Opens the vault beside a database that needs these keys. */
const opened = (env?: Record<string, string>, inUse: string[] = []) =>
  openVault(config(env), async () => inUse);
const sentence = 'must hold 32 bytes in base64';

test('the first start creates a key that only its user can read, and the next start uses it', async () => {
  const first = await opened();
  expect((await stat(file())).mode & 0o777).toBe(0o400);
  expect((await opened()).keyId).toBe(first.keyId);
  await chmod(file(), 0o644);
  await opened();
  expect((await stat(file())).mode & 0o777).toBe(0o400);
});

test('concurrent first starts end up with one key', async () => {
  const vaults = await Promise.all(Array.from({ length: 4 }, () => opened()));
  const text = await readFile(file(), 'utf8');
  const kept = createVault([Buffer.from(text.trim(), 'base64')]).keyId;
  expect(new Set(vaults.map(({ keyId }) => keyId))).toEqual(new Set([kept]));
});

test('a missing file beside a database that needs its key is refused, again and again, and no new one is written', async () => {
  const { keyId } = await opened();
  await rm(file());
  for (const _attempt of [1, 2])
    await expect(opened({}, [keyId])).rejects.toThrow(
      `the file ${file()} is missing, and the database holds secrets that were sealed under its key (${keyId}); restore`,
    );
  await expect(stat(file())).rejects.toThrow('ENOENT');
});

test('an invalid key stops the hub, and a configured key needs no file', async () => {
  await opened();
  await chmod(file(), 0o600);
  await writeFile(file(), 'half a key');
  await expect(opened()).rejects.toThrow(sentence);
  const key = Buffer.alloc(32, 7);
  const set = await opened({ CORRAL_SECRET_KEY: key.toString('base64') });
  expect(set.keyId).toBe(createVault([key]).keyId);
  expect(() => config({ CORRAL_SECRET_KEY: 'c2hvcnQ=' })).toThrow(
    'CORRAL_SECRET_KEY must be 32 bytes in base64',
  );
});

test("the instance's keys are encrypted, older ones when they are first read, and a new key replaces the old one", async () => {
  await using database = await freshDatabase();
  const { db } = database;
  const now = new Date();
  const [older, newer] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const vault = createVault([older]);
  const rowOf = (purpose: string) =>
    db.selectFrom('instance_keys').selectAll().where('purpose', '=', purpose).executeTakeFirstOrThrow();
  const made = await instanceKey({ tx: db, now, vault }, 'made');
  expect((await rowOf('made')).key.includes(made)).toBe(false);

  const clear = Buffer.alloc(32, 9);
  await db
    .insertInto('instance_keys')
    .values({ purpose: 'old', key: clear, sealed_under: null, created_at: now })
    .execute();
  expect(await instanceKey({ tx: db, now, vault }, 'old')).toEqual(clear);
  expect((await rowOf('old')).sealed_under).toBe(vault.keyId);

  expect(await missingVaultKeys(db, createVault([newer]))).toEqual([vault.keyId]);
  expect(missingKeyMessage([vault.keyId])).toContain(vault.keyId);
  const both = createVault([newer, older]);
  expect(await missingVaultKeys(db, both)).toEqual([]);
  for (const purpose of ['old', 'made']) await instanceKey({ tx: db, now, vault: both }, purpose);
  const after = createVault([newer]);
  expect(await missingVaultKeys(db, after)).toEqual([]);
  expect(await existingInstanceKey({ tx: db, vault: after }, 'made')).toEqual(made);
  expect(await existingInstanceKey({ tx: db, vault: after }, 'none')).toBeUndefined();
});
