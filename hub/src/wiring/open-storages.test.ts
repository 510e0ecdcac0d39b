import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { freshDatabase } from '../../test/fresh-database.ts';
import { s3Double, type S3Double } from '../../test/s3-double/s3-double.ts';
import { testVault } from '../../test/test-vault.ts';
import { loadConfig } from '../config/config.ts';
import { createLog } from '../platform/log/log.ts';
import { currentObjectStore, storeForNewAssets } from '../domains/assets/sql/object-stores.ts';
import type { HubDatabase } from './open-database.ts';
import { openStorages } from './open-storages.ts';

const log = createLog({ level: 'silent', format: 'json' });

function variablesOf({ settings }: S3Double) {
  return {
    CORRAL_S3_ENDPOINT: settings.endpoint,
    CORRAL_S3_BUCKET: settings.bucket,
    CORRAL_S3_ACCESS_KEY_ID: settings.accessKeyId,
    CORRAL_S3_SECRET_ACCESS_KEY: settings.secretAccessKey,
  };
}

test('each start saves the configured store as that of the instance, unless it is unchanged, and probes it', async () => {
  await using database = await freshDatabase();
  await using first = await s3Double();
  await using second = await s3Double({ checksum: 'ignored' });
  const { db } = database;
  const dataDir = await mkdtemp(join(tmpdir(), 'corral-storages-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const start = async (env: Record<string, string>) => {
    const config = loadConfig({ argv: ['--data-dir', dataDir], env });
    const parts = { database: { db } as unknown as HubDatabase, config, vault: testVault, log };
    const { instanceStore } = await openStorages(parts);
    onTestFinished(() => instanceStore.stop());
    return (await storeForNewAssets(db, 'r1')).storeId;
  };
  const probed = (checksum: string) =>
    vi.waitFor(async () => {
      expect(await currentObjectStore(db, null)).toMatchObject({ capabilities: { checksum } });
    });

  expect(await start({})).toBeNull();
  const kept = await start(variablesOf(first));
  expect(kept).not.toBeNull();
  await probed('enforced');
  expect(await start(variablesOf(first))).toBe(kept);
  expect(await start({ ...variablesOf(first), CORRAL_S3_REGION: 'eu-central-1' })).toBe(kept);
  await probed('enforced');
  const other = await start(variablesOf(second));
  expect(other).not.toBe(kept);
  await probed('ignored');
  // A store that does not answer keeps no hub from starting.
  expect(await start({ ...variablesOf(second), CORRAL_S3_ENDPOINT: 'http://127.0.0.1:1' })).not.toBe(other);
  expect(await start({})).toBeNull();
});

test('a store that is unavailable when the hub starts is probed until it answers, with a notice in readiness', async () => {
  await using database = await freshDatabase();
  await using store = await s3Double({ refuses: true });
  const { db } = database;
  const dataDir = await mkdtemp(join(tmpdir(), 'corral-storages-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const config = loadConfig({ argv: ['--data-dir', dataDir], env: variablesOf(store) });
  const parts = { database: { db } as unknown as HubDatabase, config, vault: testVault, log };
  const { instanceStore } = await openStorages({ ...parts, retryAfterMs: 20 });
  onTestFinished(() => instanceStore.stop());
  const isUnavailable = () =>
    expect(instanceStore.notice()).toMatch(/cannot be used: assets in it can neither/);
  await vi.waitFor(isUnavailable);
  const { length } = store.requests;
  await vi.waitFor(() => expect(store.requests.length).toBeGreaterThan(length));
  isUnavailable();
  store.profile.refuses = false;
  await vi.waitFor(() => expect(instanceStore.notice()).toBeUndefined());
  expect(await currentObjectStore(db, null)).toMatchObject({ capabilities: { checksum: 'enforced' } });
});
