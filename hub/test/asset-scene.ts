import { createHash, randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { request as plainRequest, type Agent, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ids, type ActionName, type Actor, type CallInput, type Id, type Output } from '@corral/contract';
import { expect, onTestFinished } from 'vitest';
import { newRawId } from '../src/auth/random.ts';
import { createDiskStorage } from '../src/domains/assets/storage/disk/disk-storage.ts';
import type { StoreSettings } from '../src/domains/assets/storage/s3/store-settings.ts';
import { freshDatabase } from './fresh-database.ts';
import { httpHub, type HttpHub, type HttpHubOptions } from './http-hub.ts';
import { storagesOf } from './test-storages.ts';
import { justProved } from './just-proved.ts';

/** A file to be uploaded. */
export interface TestFile {
  readonly bytes: Buffer;
  /** In its wire format. */
  readonly digest: string;
}

/** A file of random bytes. */
export function fileOf(sizeBytes: number): TestFile {
  return fileWith(randomBytes(sizeBytes));
}

/** A file of these bytes. */
export function fileWith(bytes: Buffer): TestFile {
  return { bytes, digest: `sha256_${createHash('sha256').update(bytes).digest('hex')}` };
}

/** An answer with its bytes. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** Whether the connection broke before the announced end. */
  readonly isCut: boolean;
}

interface RawCall {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly body?: Uint8Array;
  readonly agent?: Agent;
}

/** Sends a request and reads the answer as bytes. */
export function callUrl(
  url: string,
  { method = 'GET', headers = {}, body, agent }: RawCall = {},
): Promise<RawAnswer> {
  const length =
    body === undefined || 'transfer-encoding' in headers ? {} : { 'content-length': body.length };
  return new Promise((resolve, reject) => {
    const request = plainRequest(url, { method, headers: { ...length, ...headers }, agent }, (response) => {
      const chunks: Buffer[] = [];
      const { statusCode: status = 0, headers: received } = response;
      const finish = (isCut: boolean): void =>
        resolve({ status, headers: received, bytes: Buffer.concat(chunks), isCut });
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => finish(false));
      response.on('error', () => finish(true));
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** A hub with a repository and its owner. */
export interface AssetScene extends AsyncDisposable {
  readonly hub: HttpHub;
  readonly owner: Extract<Actor, { actor: 'User' }>;
  readonly repositoryId: Id<'repository'>;
  /** Creates the asset of a file. */
  create(file: TestFile): Promise<Id<'asset'>>;
  uploadUrl(assetId: Id<'asset'>): Promise<string>;
  downloadUrl(assetId: Id<'asset'>, filename?: string): Promise<string>;
  /** Creates and uploads. */
  upload(file: TestFile): Promise<Id<'asset'>>;
  details(assetId: Id<'asset'>): Promise<Output<'repositories_GetAssetDetails'>>;
  /** Its status, and that of its stored bytes. */
  stateOf(assetId: Id<'asset'>): Promise<string>;
  /** Calls an action, by default as the owner. */
  call<Name extends ActionName>(name: Name, input: CallInput<Name>, actor?: Actor): Promise<Output<Name>>;
  /** Has the repository use a store for what is uploaded from now on. */
  useStore(store: { readonly settings: StoreSettings }, more?: object): Promise<void>;
  /** Creates the asset of a file, with a URL for its upload. */
  begin(file: TestFile): Promise<{ readonly assetId: Id<'asset'>; readonly url: string }>;
  /** Expects an asset to be available and verified, with these bytes. */
  mustServe(assetId: Id<'asset'>, file: TestFile): Promise<void>;
  /** Makes the repository public, with these files at the tag `v1` of a package, and resolves with the URL of all without their names. */
  publish(files: Readonly<Record<string, Id<'asset'>>>): Promise<string>;
  /** Waits until somebody writes the asset. */
  untilLeased(assetId: Id<'asset'>): Promise<void>;
}

/** A scene whose assets are in a folder of its own. */
export interface FolderScene extends AssetScene {
  readonly folder: string;
  /** The paths of the stored assets. */
  objects(): string[];
}

/** Starts a hub with a repository. */
export async function assetScene(options: HttpHubOptions = {}): Promise<AssetScene> {
  const hub = await httpHub(options);
  const owner = await hub.user('publisher@example.org');
  const repositoryId = await seedRepository(hub, owner);
  const caller = { actor: owner, origin: justProved };
  const create = async ({ bytes, digest }: TestFile): Promise<Id<'asset'>> => {
    const input = { repositoryId, size: bytes.length, digest };
    return (await hub.executor.invoke(caller, 'repositories_CreateAsset', input)).assetId;
  };
  const here = (url: string): string => url.replace(/^https?:\/\/[^/]+/, hub.url);
  const uploadUrl = async (assetId: Id<'asset'>): Promise<string> =>
    here((await hub.executor.invoke(caller, 'repositories_IssueAssetUploadUrl', { assetId })).url);
  const scene: AssetScene = {
    hub,
    owner,
    repositoryId,
    create,
    uploadUrl,
    downloadUrl: async (assetId, filename) =>
      here(
        (await hub.executor.invoke(caller, 'repositories_IssueAssetDownloadUrl', { assetId, filename })).url,
      ),
    async upload(file) {
      const assetId = await create(file);
      const { status, bytes } = await callUrl(await uploadUrl(assetId), { method: 'PUT', body: file.bytes });
      if (status !== 200) throw new Error(`The upload ended with ${status}: ${bytes.toString()}`);
      return assetId;
    },
    details: (assetId) => hub.executor.invoke(caller, 'repositories_GetAssetDetails', { assetId }),
    async stateOf(assetId) {
      const { status, storage } = await scene.details(assetId);
      return `${status} ${storage?.status}`;
    },
    call: (name, input, actor = owner) => hub.executor.invoke({ actor, origin: justProved }, name, input),
    async useStore({ settings }, more = {}) {
      const s3Config = { region: 'us-east-1', ...settings, ...more };
      await hub.executor.invoke(caller, 'repositories_SetS3Config', { repositoryId, s3Config });
    },
    async begin(file) {
      const assetId = await create(file);
      return { assetId, url: await uploadUrl(assetId) };
    },
    async mustServe(assetId, { bytes }) {
      expect(await scene.stateOf(assetId)).toBe('Available Verified');
      const { url } = await scene.call('repositories_IssueAssetDownloadUrl', { assetId });
      const served = await callUrl(url.replace(hub.origins().console, hub.url));
      expect([served.status, served.bytes.equals(bytes)]).toEqual([200, true]);
      const { total } = await scene.call('repositories_GetAssetChunks', { assetId });
      expect(total).toBe(Math.ceil(bytes.length / 1_048_576));
    },
    async publish(files) {
      const created = await scene.call('repositories_CreatePackage', { repositoryId, name: 'image' });
      if (created.result !== 'Created') throw new Error('The repository has published already.');
      const { packageId } = created;
      const { versionId } = await scene.call('repositories_CreatePackageVersion', { packageId });
      for (const [filename, assetId] of Object.entries(files))
        await scene.call('repositories_AddPackageVersionAsset', { versionId, assetId, filename });
      await scene.call('repositories_TagPackageVersion', { versionId, tags: [{ tag: 'v1' }] });
      await scene.call('repositories_SetRepositoryVisibility', { repositoryId, visibility: 'Public' });
      const { name } = await scene.call('repositories_GetRepositoryDetails', { repositoryId });
      return `${hub.url}/r/${encodeURIComponent(name)}/image/v1`;
    },
    async untilLeased(assetId) {
      const leases = hub.database.db.selectFrom('assets').select('upload_lease');
      const lease = leases.where('asset_id', '=', ids.asset.raw(assetId));
      await expect.poll(async () => (await lease.executeTakeFirst())?.upload_lease).not.toBeNull();
    },
    [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose](),
  };
  return scene;
}

/** The same, until the test ends. */
export async function sceneOfTest(options: HttpHubOptions = {}): Promise<AssetScene> {
  const scene = await assetScene(options);
  onTestFinished(() => scene[Symbol.asyncDispose]());
  return scene;
}

/** Starts a hub whose assets are in a folder of its own. */
export async function folderScene(options: HttpHubOptions = {}): Promise<FolderScene> {
  const folder = await mkdtemp(join(tmpdir(), 'corral-folder-'));
  const database = await freshDatabase();
  const storages = storagesOf(database.db, { disk: createDiskStorage(folder) });
  const scene = await assetScene({ database, storages, ...options });
  return {
    ...scene,
    folder,
    objects: () =>
      readdirSync(join(folder, 'objects'), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name)),
    async [Symbol.asyncDispose]() {
      await scene[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** What requests of tus have. */
export const tus = { 'tus-resumable': '1.0.0' };

/** What a part of a resumable upload has. */
export const tusPart = (offset: number | string, more: Readonly<Record<string, string>> = {}) => ({
  ...tus,
  'content-type': 'application/offset+octet-stream',
  'upload-offset': String(offset),
  ...more,
});

/** Sends a part of a resumable upload. */
export const append = (url: string, offset: number, body: Buffer, more: Record<string, string> = {}) =>
  callUrl(url, { method: 'PATCH', headers: tusPart(offset, more), body });

/** Sends all bytes at once. */
export const put = (url: string, { bytes }: Pick<TestFile, 'bytes'>): Promise<RawAnswer> =>
  callUrl(url, { method: 'PUT', body: bytes });

/** How far a resumable upload is. */
export async function offsetOf(url: string): Promise<number> {
  const { status, headers } = await callUrl(url, { method: 'HEAD', headers: tus });
  expect(status).toBe(200);
  return Number(headers['upload-offset']);
}

/** Sends all bytes of a file in one part of a resumable upload, from where that is. */
export async function appendRest(url: string, { bytes }: Pick<TestFile, 'bytes'>): Promise<RawAnswer> {
  const asked = await callUrl(url, { method: 'HEAD', headers: tus });
  const offset = Number(asked.headers['upload-offset'] ?? 0);
  return offset === bytes.length ? asked : append(url, offset, bytes.subarray(offset));
}

/** The sentence of a refusal. */
export const messageOf = ({ bytes }: RawAnswer): string =>
  (JSON.parse(bytes.toString()) as { message: string }).message;

/** Adds a private repository of a user. */
async function seedRepository(
  { database: { db } }: Pick<HttpHub, 'database'>,
  owner: Extract<Actor, { actor: 'User' }>,
): Promise<Id<'repository'>> {
  const repository_id = newRawId();
  const at = new Date();
  await db
    .insertInto('repositories')
    .values({ repository_id, name: repository_id, visibility: 'Private', created_at: at })
    .execute();
  await db
    .insertInto('repository_members')
    .values({ repository_id, user_id: ids.user.raw(owner.userId), is_owner: true, added_at: at })
    .execute();
  return ids.repository.of(repository_id);
}
