import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Channel } from '@corral/multiplex';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { callUrl } from '../../../test/asset-scene.ts';
import { connectLink, deviceHeaders, isOpen, newDevice, type OpenLink } from '../../../test/device-client.ts';
import { freshDatabase, type FreshDatabase } from '../../../test/fresh-database.ts';
import { commandLineHeaders, deviceIdOf } from '../../../test/gateway-scene.ts';
import { loadConfig } from '../../config/config.ts';
import type { DatabaseAddress } from '../../platform/db/connect.ts';
import { startHub, type RunningHub } from '../../hub.ts';
import { createLog } from '../../platform/log/log.ts';

const administrator = { email: 'admin@example.org', password: 'gate-latch-and-rail' };
const secretKey = randomBytes(32).toString('base64');
/** Nothing listens there: without NATS a cluster is slower, and nothing else. */
const natsUrl = 'nats://127.0.0.1:1';

let database: FreshDatabase;
let dataDir: string;
let north: RunningHub;
let south: RunningHub;
let cookie: string;

function urlOf(address: DatabaseAddress): string {
  if ('url' in address) return address.url;
  const { host, user, password, database: name } = address;
  return `postgres://${user}:${encodeURIComponent(password)}@localhost/${name}?host=${encodeURIComponent(host)}`;
}

/** Starts a hub on the database under a node name. */
async function start(nodeName: string, more: Record<string, string> = {}): Promise<RunningHub> {
  const env = {
    CORRAL_DATABASE_URL: urlOf(database.address),
    CORRAL_DATA_DIR: dataDir,
    CORRAL_NODE_NAME: nodeName,
    CORRAL_NATS_URL: natsUrl,
    CORRAL_SECRET_KEY: secretKey,
    CORRAL_ADMIN_EMAIL: administrator.email,
    CORRAL_ADMIN_PASSWORD: administrator.password,
    ...more,
  };
  const config = loadConfig({ argv: ['--port', '0'], env, hostname: 'testing', isTerminal: false });
  const destination = { write: () => true } as unknown as NodeJS.WritableStream;
  return startHub(config, createLog({ level: 'info', format: 'json', destination }));
}

function post({ url }: RunningHub, path: string, body: unknown) {
  return callUrl(new URL(path, url).href, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie },
    body: Buffer.from(JSON.stringify(body)),
  });
}

async function invoke<Answer>(hub: RunningHub, name: string, input: unknown): Promise<Answer> {
  const { status, bytes } = await post(hub, `/api/v1/actions/invoke/${name}`, input);
  if (status !== 200) throw new Error(`${name} ended with ${status}: ${bytes.toString()}`);
  return JSON.parse(bytes.toString()) as Answer;
}

async function connect(hub: RunningHub, headers: Record<string, string>): Promise<OpenLink> {
  const answer = await connectLink(hub.url.replace(/\/$/, ''), headers, (request) => {
    const channel = request.accept();
    void channel.drain((bytes) => channel.write(Uint8Array.from(bytes))).then(() => channel.end());
  });
  if (!isOpen(answer)) throw new Error(answer.body.message);
  return answer;
}

async function echoOf(channel: Channel, text: string): Promise<string> {
  let received = '';
  const reading = channel.drain((bytes) => void (received += Buffer.from(bytes).toString()));
  await channel.write(Buffer.from(text));
  channel.end();
  await reading;
  return received;
}

beforeAll(async () => {
  database = await freshDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'corral-cluster-'));
  [north, south] = await Promise.all([start('north'), start('south')]);
  cookie = '';
  const { headers } = await post(north, '/api/private/login', administrator);
  cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? '';
});
afterAll(async () => {
  await Promise.all([north.stop(), south.stop()]);
  await database[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
});

test('two hubs on one database are one Corral: sessions, devices, forwards and revocations hold on both', async () => {
  const { nodes } = await invoke<{ nodes: { name: string }[] }>(south, 'cluster_GetClusterDetails', {});
  expect(nodes.map(({ name }) => name).toSorted()).toEqual(['north', 'south']);
  const { projectId } = await invoke<{ projectId: string }>(north, 'projects_CreateProject', { name: 'P' });
  const { token } = await invoke<{ token: string }>(south, 'projects_CreateDeploymentToken', {
    projectId,
    name: 'token',
    flags: { autoAccept: true },
  });
  const device = await newDevice();
  const onSouth = await connect(south, deviceHeaders(device, token));
  const deviceId = await deviceIdOf(onSouth);
  const { actor } = await invoke<{ actor: { userId: string } }>(north, 'actor_GetActor', {});
  const user = await invoke<{ token: string }>(north, 'users_CreateUserToken', {
    userId: actor.userId,
    name: 'cli',
  });
  const commandLine = await connect(north, commandLineHeaders(user.token));
  const endpoint = `device/${deviceId}/proxy/forward/tcp/80`;
  const open = () => commandLine.connection.openChannel(endpoint);
  expect(await echoOf(await open(), 'through two hubs')).toBe('through two hubs');

  // The device moves to the other hub, as when its own stops.
  const onNorth = await connect(north, deviceHeaders(device, token));
  onSouth.connection.close('');
  await onSouth.connection.closed;
  expect(await echoOf(await open(), 'on this one')).toBe('on this one');

  // No hint arrives, so the other hub finds the revocation by itself.
  const { certificates } = await invoke<{ certificates: { certificateId: string }[] }>(
    south,
    'devices_GetDeviceDetails',
    { deviceId },
  );
  await invoke(south, 'devices_SetDeviceCertificateStatus', {
    certificateId: certificates[0]?.certificateId,
    status: 'Revoked',
  });
  expect(await onNorth.connection.closed).toMatchObject({ cause: 'peer' });
  await vi.waitFor(() => expect(open()).rejects.toThrow('device not connected'));
  commandLine.connection.close('');
});

test('assets and e-mails that would lie on the disk of one of them are refused with what to set', async () => {
  const { repositoryId } = await invoke<{ repositoryId: string }>(north, 'repositories_CreateRepository', {
    name: 'firmware',
  });
  const answer = await post(south, '/api/v1/actions/invoke/repositories_CreateAsset', {
    repositoryId,
    size: 3,
    digest: `sha256_${'7'.repeat(64)}`,
  });
  expect(answer.status).toBe(400);
  expect(answer.bytes.toString()).toContain('The nodes of this cluster share no disk');
  expect(await invoke(north, 'instance_SendTestMail', {})).toEqual({
    isSent: false,
    message: expect.stringContaining('the nodes of a cluster share no folder for e-mails'),
  });
});

test('a hub without the settings of the object store leaves the store that another has set', async () => {
  const store = {
    CORRAL_S3_ENDPOINT: 'http://127.0.0.1:1',
    CORRAL_S3_BUCKET: 'assets',
    CORRAL_S3_ACCESS_KEY_ID: 'key',
    CORRAL_S3_SECRET_ACCESS_KEY: 'shed-hinge-and-oil',
  };
  for (const settings of [store, {}]) await (await start('west', settings)).stop();
  const stores = await database.db.selectFrom('object_stores').select(['bucket', 'replaced_at']).execute();
  expect(stores).toEqual([{ bucket: 'assets', replaced_at: null }]);
});

test('a hub starts on a schema of tomorrow while that is still for its release, and is refused with a sentence once it is not', async () => {
  const { db } = database;
  await sql`insert into schema_migrations (name, timestamp) values ('9999-of-tomorrow', 'now')`.execute(db);
  await (await start('west')).stop();
  await sql`update schema_compatibility set oldest_release = '99.0.0'`.execute(db);
  await expect(start('west')).rejects.toThrow(
    /^The database was upgraded for Corral 99\.0\.0 and newer, and this is \d+\.\d+\.\d+: start one of those, or restore/,
  );
  await sql`update schema_compatibility set oldest_release = '0.1.0'`.execute(db);
  await sql`delete from schema_migrations where name = '9999-of-tomorrow'`.execute(db);
});

test('a hub without NATS, or with another secret key, does not join them', async () => {
  const now = performance.now.bind(performance);
  let skippedMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now() + (skippedMs += 2_000));
  try {
    await expect(start('lone', { CORRAL_NATS_URL: '' })).rejects.toThrow(
      /^Another hub \((north|south)\) runs on this database: stop that one first, or run both as nodes of one cluster/,
    );
  } finally {
    vi.restoreAllMocks();
  }
  await expect(start('stranger', { CORRAL_SECRET_KEY: randomBytes(32).toString('base64') })).rejects.toThrow(
    /^CORRAL_SECRET_KEY: the database/,
  );
  await expect(start('homeless', { CORRAL_PEER_HOST: '203.0.113.7' })).rejects.toThrow(
    'CORRAL_PEER_HOST: this machine has no address 203.0.113.7.',
  );
  await expect(start('keyless', { CORRAL_SECRET_KEY: '' })).rejects.toThrow(
    /^CORRAL_SECRET_KEY is missing: the nodes of a cluster share it\./,
  );
});
