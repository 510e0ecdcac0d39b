import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../src/config/config.ts';
import { offlineExecutor } from '../src/operator/offline-executor.ts';
import { openExistingDatabase } from '../src/operator/open-existing-database.ts';
import { sealAuditLog } from '../src/domains/audit/jobs/seal-audit-log.ts';
import { copyDatabase } from '../src/platform/postgres/fixtures/hub-under-test.ts';
import { callUrl, fileOf, type TestFile } from './asset-scene.ts';
import { connectLink, deviceHeaders, isOpen, newDevice, type OpenLink } from './device-client.ts';
import { deviceIdOf } from './gateway-scene.ts';
import { startHubProgram, type HubProgram } from './hub-program.ts';
import { runHub, type HubOutcome } from './run-hub.ts';
import { s3Double, type S3Double } from './s3-double/s3-double.ts';

/** A hub as operators run it, with a device that writes all the time, and with assets on disk and in a store. */
export interface BackedUpHub {
  /** Contains the data folder `data`; for whatever else a test makes. */
  readonly folder: string;
  readonly dataDir: string;
  readonly program: HubProgram;
  readonly store: S3Double;
  readonly repositoryIds: { readonly onDisk: string; readonly inStore: string };
  /** By the ids of the assets. */
  readonly files: Map<string, TestFile>;
  readonly device: { readonly deviceId: string; connect(url: string): Promise<OpenLink> };
  /** Runs a command of the operator. */
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<HubOutcome>;
  upload(repositoryId: string): Promise<string>;
  /** Ends the hub and the device; the folder stays until `remove`. */
  stop(): Promise<void>;
  remove(): Promise<void>;
}

/** Where repositories may have stores of their own, and a mail server that takes nothing. */
export const storeEnv = {
  CORRAL_PRIVATE_TARGETS: '127.0.0.0/8:*',
  CORRAL_SMTP_URL: 'smtp://127.0.0.1:9',
  CORRAL_MAIL_FROM: 'corral@example.org',
};

/** Starts it. */
export async function backedUpHub(): Promise<BackedUpHub> {
  const folder = await mkdtemp(join(tmpdir(), 'corral-backup-'));
  await chmod(folder, 0o711);
  const dataDir = join(folder, 'data');
  await copyDatabase(dataDir);
  const program = await startHubProgram({ dataDir, env: storeEnv });
  const store = await s3Double();
  const files = new Map<string, TestFile>();
  const repositoryIds = {
    onDisk: await repository(program, 'here'),
    inStore: await repository(program, 'there'),
  };
  const s3Config = { region: 'us-east-1', ...store.settings };
  await program.invoke('repositories_SetS3Config', { repositoryId: repositoryIds.inStore, s3Config });
  const upload = async (repositoryId: string): Promise<string> => {
    const file = fileOf(files.size === 0 ? 2_500_000 : 700);
    const assetId = await uploadTo(program, repositoryId, file);
    files.set(assetId, file);
    return assetId;
  };
  const { connect, deviceId, stopWriting } = await writingDevice(program);
  return {
    folder,
    dataDir,
    program,
    store,
    repositoryIds,
    files,
    device: { deviceId, connect },
    run: (args, env = {}) => runHub(args, { ...storeEnv, ...env }),
    upload,
    async stop() {
      await stopWriting();
      await program.stop();
    },
    async remove() {
      await store[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
}

async function repository(program: HubProgram, name: string): Promise<string> {
  return String((await program.invoke('repositories_CreateRepository', { name })).repositoryId);
}

async function uploadTo(
  { invoke }: HubProgram,
  repositoryId: string,
  { bytes, digest }: TestFile,
): Promise<string> {
  const { assetId } = await invoke('repositories_CreateAsset', { repositoryId, size: bytes.length, digest });
  const { url } = await invoke('repositories_IssueAssetUploadUrl', { assetId });
  const { status } = await callUrl(String(url), { method: 'PUT', body: bytes });
  if (status >= 300) throw new Error(`The upload ended with ${status}.`);
  return String(assetId);
}

/** A device that sets a property again and again. */
async function writingDevice(program: HubProgram) {
  const { projectId } = await program.invoke('projects_CreateProject', { name: 'Plant' });
  const { token } = await program.invoke('projects_CreateDeploymentToken', {
    projectId,
    name: 'token',
    flags: { autoAccept: true },
  });
  const device = await newDevice();
  const connect = async (url: string): Promise<OpenLink> => {
    const link = await connectLink(url.replace(/\/$/, ''), deviceHeaders(device, String(token)));
    if (!isOpen(link)) throw new Error(link.body.message);
    return link;
  };
  const link = await connect(program.url);
  const deviceId = await deviceIdOf(link);
  const rpc = await link.rpc();
  let isWriting = true;
  const write = async (): Promise<void> => {
    for (let value = 1; isWriting; value += 1)
      await rpc.invoke('devices_SetDeviceProperty', { deviceId, name: 'round', value });
  };
  const written = write();
  const stopWriting = async (): Promise<void> => {
    isWriting = false;
    await written;
    link.connection.close('');
    await link.connection.closed;
  };
  return { connect, deviceId: String(deviceId), stopWriting };
}

/** Seals the audit log of a hub that runs, which does so once a minute itself; resolves once there is a seal for new rows. */
export async function sealNow(settings: Readonly<Record<string, string>>): Promise<void> {
  const config = loadConfig({ argv: [], env: { ...storeEnv, ...settings } });
  const database = await openExistingDatabase(config);
  try {
    const executor = await offlineExecutor(config, database);
    const before = await sealsOf(database.db);
    while ((await sealsOf(database.db)) === before) await sealAuditLog({ executor, log: { info() {} } });
  } finally {
    await database.close();
  }
}

type Db = Awaited<ReturnType<typeof openExistingDatabase>>['db'];

async function sealsOf(db: Db): Promise<number> {
  const row = await db
    .selectFrom('audit_seals')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}
