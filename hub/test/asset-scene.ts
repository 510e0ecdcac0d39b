import { createHash, randomBytes } from 'node:crypto';
import { request as plainRequest, type Agent, type IncomingHttpHeaders } from 'node:http';
import { ids, type Actor, type Id, type Output } from '@corral/contract';
import { newRawId } from '../src/auth/random.ts';
import { httpHub, type HttpHub, type HttpHubOptions } from './http-hub.ts';

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
}

/** Starts a hub with a repository. */
export async function assetScene(options: HttpHubOptions = {}): Promise<AssetScene> {
  const hub = await httpHub(options);
  const owner = await hub.user('publisher@example.org');
  const repositoryId = await seedRepository(hub, owner);
  const caller = { actor: owner, origin: {} };
  const create = async ({ bytes, digest }: TestFile): Promise<Id<'asset'>> => {
    const input = { repositoryId, size: bytes.length, digest };
    return (await hub.executor.invoke(caller, 'repositories_CreateAsset', input)).assetId;
  };
  const here = (url: string): string => url.replace(/^https?:\/\/[^/]+/, hub.url);
  const uploadUrl = async (assetId: Id<'asset'>): Promise<string> =>
    here((await hub.executor.invoke(caller, 'repositories_IssueAssetUploadUrl', { assetId })).url);
  return {
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
    [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose](),
  };
}

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
