import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { callUrl, fileOf } from '../../test/asset-scene.ts';
import { connectLink, deviceHeaders, isOpen, newDevice } from '../../test/device-client.ts';
import { freshDatabase } from '../../test/fresh-database.ts';
import { smtpInbox } from '../../test/smtp-inbox.ts';
import { isOfAsset } from '../../test/store-lives.ts';
import { doubleOfTest } from '../../test/two-hubs.ts';
import type { StoreSettings } from '../assets/s3/store-settings.ts';
import { loadConfig } from '../config/config.ts';
import type { DatabaseAddress } from '../db/connect.ts';
import { startHub } from '../hub.ts';
import { createLog } from '../log/log.ts';

const administrator = { email: 'admin@example.org', password: 'gate-latch-and-rail' };

function urlOf(address: DatabaseAddress): string {
  if ('url' in address) return address.url;
  const { host, user, password, database: name } = address;
  return `postgres://${user}:${encodeURIComponent(password)}@localhost/${name}?host=${encodeURIComponent(host)}`;
}

const settingsOf = ({ endpoint, bucket, accessKeyId, secretAccessKey }: StoreSettings) => ({
  CORRAL_S3_ENDPOINT: endpoint,
  CORRAL_S3_BUCKET: bucket,
  CORRAL_S3_ACCESS_KEY_ID: accessKeyId,
  CORRAL_S3_SECRET_ACCESS_KEY: secretAccessKey,
});

/** A hub with these settings. */
async function hubWith(more: Readonly<Record<string, string>>) {
  const database = await freshDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'corral-stopping-'));
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
  return { url: hub.url, stop, database, invoke, connectedDevice };
}

test('a store that never answers a deletion does not keep a hub that stops from closing its devices', async () => {
  const store = await doubleOfTest();
  const { stop, database, invoke, connectedDevice } = await hubWith(settingsOf(store.settings));
  const device = await connectedDevice();
  const { bytes, digest } = fileOf(1000);
  const { repositoryId } = await invoke('repositories_CreateRepository', { name: 'images' });
  const { assetId } = await invoke('repositories_CreateAsset', { repositoryId, size: 1000, digest });
  const { url = '' } = await invoke('repositories_IssueAssetUploadUrl', { assetId });
  expect((await callUrl(url, { method: 'PUT', body: bytes })).status).toBe(200);
  const asked = Promise.withResolvers<void>();
  const answers = Promise.withResolvers<void>();
  onTestFinished(() => answers.resolve());
  store.profile.answersAfter = (operation, key) => {
    if (operation !== 'DELETE' || !isOfAsset(key)) return Promise.resolve();
    asked.resolve();
    return answers.promise;
  };
  await invoke('repositories_DeleteAsset', { assetId });
  await asked.promise;
  const stoppedAtMs = performance.now();
  const stopped = stop();
  expect(await device.connection.closed).toMatchObject({ cause: 'peer', reason: 'the hub is stopping' });
  await stopped;
  expect(performance.now() - stoppedAtMs).toBeLessThan(15_000);
  // The store may still delete, so nobody else may have the asset yet.
  const lease = database.db.selectFrom('assets').select('upload_lease').executeTakeFirst();
  expect((await lease)?.upload_lease).toMatch(/^\//);
});

test('a mail server that does not answer does not keep a hub that stops from saying so at once', async () => {
  const [asked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const inbox = await smtpInbox({
    onMailFrom(_address, _session, answer) {
      asked.resolve();
      void release.promise.then(() => answer());
    },
  });
  const { url, stop, invoke, connectedDevice } = await hubWith({ CORRAL_SMTP_URL: inbox.url });
  onTestFinished(() => release.resolve());
  const device = await connectedDevice();
  const { userId } = await invoke('users_CreateUser', { email: 'ann@example.org' });
  await invoke('users_SendPasswordLink', { userId });
  await asked.promise;
  const stopped = stop();
  expect((await callUrl(new URL('/readyz', url).href)).status).toBe(503);
  expect(await device.connection.closed).toMatchObject({ cause: 'peer', reason: 'the hub is stopping' });
  release.resolve();
  await stopped;
  await inbox[Symbol.asyncDispose]();
  expect(inbox.mails).toHaveLength(1);
});
