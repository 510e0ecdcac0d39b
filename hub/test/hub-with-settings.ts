import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { StoreSettings } from '../src/domains/assets/storage/s3/store-settings.ts';
import { loadConfig } from '../src/config/config.ts';
import type { DatabaseAddress } from '../src/platform/db/connect.ts';
import { startHub } from '../src/hub.ts';
import { createLog } from '../src/platform/log/log.ts';
import { callUrl, fileOf } from './asset-scene.ts';
import { connectLink, deviceHeaders, isOpen, newDevice, type OpenLink } from './device-client.ts';
import { freshDatabase, type FreshDatabase } from './fresh-database.ts';
import type { S3Double } from './s3-double/s3-double.ts';
import { isOfAsset } from './store-lives.ts';

/** A whole hub. */
export interface SettingsHub {
  readonly url: string;
  /** Its settings as an environment, for commands beside it. */
  readonly env: Readonly<Record<string, string>>;
  readonly database: FreshDatabase;
  stop(): Promise<void>;
  /** Runs an action as the first administrator. */
  invoke(name: string, input: unknown): Promise<Record<string, string>>;
  /** A new device of a new project, connected. */
  connectedDevice(): Promise<OpenLink>;
}

const administrator = { email: 'admin@example.org', password: 'gate-latch-and-rail' };

function urlOf(address: DatabaseAddress): string {
  if ('url' in address) return address.url;
  const { host, user, password, database: name } = address;
  return `postgres://${user}:${encodeURIComponent(password)}@localhost/${name}?host=${encodeURIComponent(host)}`;
}

/** The settings of a hub whose assets are in this store. */
export const settingsOf = ({ endpoint, bucket, accessKeyId, secretAccessKey }: StoreSettings) => ({
  CORRAL_S3_ENDPOINT: endpoint,
  CORRAL_S3_BUCKET: bucket,
  CORRAL_S3_ACCESS_KEY_ID: accessKeyId,
  CORRAL_S3_SECRET_ACCESS_KEY: secretAccessKey,
});

/** Uploads a file and deletes its asset; resolves once the store was asked to delete the bytes, which it answers only when the test ends. */
export async function deletingAsset(
  { profile }: Pick<S3Double, 'profile'>,
  invoke: SettingsHub['invoke'],
): Promise<{ deletions: () => number }> {
  const { bytes, digest } = fileOf(1000);
  const { repositoryId } = await invoke('repositories_CreateRepository', { name: 'images' });
  const { assetId } = await invoke('repositories_CreateAsset', { repositoryId, size: 1000, digest });
  const { url = '' } = await invoke('repositories_IssueAssetUploadUrl', { assetId });
  expect((await callUrl(url, { method: 'PUT', body: bytes })).status).toBe(200);
  const [asked, answers] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  onTestFinished(() => answers.resolve());
  let deletions = 0;
  profile.answersAfter = async (operation, key) => {
    if (operation !== 'DELETE' || !isOfAsset(key)) return;
    deletions += 1;
    asked.resolve();
    // The first one is answered only when the test ends.
    if (deletions === 1) await answers.promise;
  };
  await invoke('repositories_DeleteAsset', { assetId });
  await asked.promise;
  return { deletions: () => deletions };
}

/** A hub in this process, with an external database and these settings, that ends with the test. */
export async function hubWith(more: Readonly<Record<string, string>>): Promise<SettingsHub> {
  const database = await freshDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'corral-settings-'));
  const env = {
    CORRAL_DATABASE_URL: urlOf(database.address),
    CORRAL_DATA_DIR: dataDir,
    CORRAL_ADMIN_EMAIL: administrator.email,
    CORRAL_ADMIN_PASSWORD: administrator.password,
    ...more,
  };
  const config = loadConfig({ argv: ['--port', '0'], env, hostname: 'testing', isTerminal: false });
  const destination = { write: () => true } as unknown as NodeJS.WritableStream;
  const hub = await startHub(config, createLog({ level: 'info', format: 'json', destination }));
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= hub.stop());
  onTestFinished(async () => {
    await stop();
    await database[Symbol.asyncDispose]();
    await rm(dataDir, { recursive: true, force: true });
  });
  const post = (path: string, body: unknown, cookie = '') =>
    callUrl(new URL(path, hub.url).href, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie },
      body: Buffer.from(JSON.stringify(body)),
    });
  const { headers } = await post('/api/private/login', administrator);
  const cookie = headers['set-cookie']?.[0]?.split(';')[0];
  const invoke = async (name: string, input: unknown): Promise<Record<string, string>> => {
    const { status, bytes } = await post(`/api/v1/actions/invoke/${name}`, input, cookie);
    if (status !== 200) throw new Error(`${name} ended with ${status}: ${bytes.toString()}`);
    return JSON.parse(bytes.toString()) as Record<string, string>;
  };
  const connectedDevice = async () => {
    const { projectId } = await invoke('projects_CreateProject', { name: 'P' });
    const flags = { autoAccept: true };
    const { token = '' } = await invoke('projects_CreateDeploymentToken', {
      projectId,
      name: 'token',
      flags,
    });
    const device = await connectLink(hub.url.replace(/\/$/, ''), deviceHeaders(await newDevice(), token));
    if (!isOpen(device)) throw new Error(device.body.message);
    return device;
  };
  return { url: hub.url, env, stop, database, invoke, connectedDevice };
}
