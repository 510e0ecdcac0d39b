import { ActionError, ids, isDamaged } from '@corral/contract';
import type { AssetStorage, MultipartUploads, StoredPart } from '../../assets/asset-storage.ts';
import { isUploadCompleted } from '../../assets/is-upload-completed.ts';
import { partBytesOf, partCountOf } from '../../assets/upload-parts.ts';
import { uploadUrlSecs } from '../../auth/asset-url.ts';
import type { Handler, HandlerContext } from '../../executor/handler.ts';
import { mustWriteAsset } from '../../policy/repositories.ts';
import { changeMultipart, extendUploadUrl, findStoredAsset } from '../../store/asset-uploads.ts';
import { digestBytes, type StoredAsset } from '../../store/assets.ts';
import { noteUploader, tooManyUnfinished } from '../../store/unfinished-uploads.ts';

type Context = HandlerContext<'repositories_IssueAssetPartUrls'>;
type WantedPart = Context['input']['parts'][number];

/** Issues the URLs of parts, for clients that send a large file to the object store of its repository by themselves. */
export const IssueAssetPartUrls: Handler<'repositories_IssueAssetPartUrls', Prepared, Prepared> = {
  isOneStatement: () => true,

  // The store is asked, which may take long.
  async prepare(context) {
    const { tx, actor, input, now, storages } = context;
    await mustWriteAsset(tx, actor, input.assetId);
    const expiresAt = new Date(now.getTime() + uploadUrlSecs * 1000);
    const assetId = ids.asset.raw(input.assetId);
    const asset = mustBeUnfinished(await findStoredAsset(tx, assetId));
    for (const part of input.parts) mustBeOfAsset(part, asset);
    const store = mustTakeParts(await storages.of(asset.store_id));
    mustBeUnfinished(await extendUploadUrl(tx, { assetId, expiresAt, now }));
    const upload = await openMultipart(context, asset, store);
    const parts = await Promise.all(input.parts.map((part) => partUrl(asset, upload, part)));
    return { parts, expiresAt: expiresAt.toISOString() };
  },

  async authorize({ tx, actor, input }, prepared) {
    await mustWriteAsset(tx, actor, input.assetId);
    return prepared;
  },

  run: (_context, prepared) => Promise.resolve(prepared),
};

interface Prepared {
  readonly parts: { number: number; url?: string; headers?: Record<string, string> }[];
  readonly expiresAt: string;
}

function mustBeUnfinished(asset: StoredAsset | undefined): StoredAsset {
  if (asset === undefined || asset.status === 'Deleting')
    throw new ActionError('Invalid', 'The asset is being deleted; create it again and upload it then.');
  if (asset.status !== 'Available' || isDamaged(asset.storage_status)) return asset;
  throw new ActionError('Invalid', 'The asset is available; no part of it is to be uploaded.');
}

function mustBeOfAsset({ number }: WantedPart, { size }: StoredAsset): void {
  const count = partCountOf(size);
  if (number >= 1 && number <= count) return;
  throw new ActionError('Invalid', `There is no part ${number}: the asset has the parts 1 to ${count}.`);
}

/** A store that takes parts from clients. */
interface PartStore {
  readonly storage: AssetStorage;
  readonly multipart: MultipartUploads;
}

function mustTakeParts(storage: AssetStorage): PartStore {
  const { direct, multipart } = storage;
  if (direct !== undefined && multipart !== undefined) return { storage, multipart };
  throw new ActionError(
    'Invalid',
    'Clients cannot send parts of this asset to where it is kept; use the URLs of repositories_IssueAssetUploadUrl.',
  );
}

interface OpenMultipart {
  readonly multipart: MultipartUploads;
  readonly multipartId: string;
  readonly stored: ReadonlyMap<number, StoredPart>;
}

/** The upload of the asset in its store; a new one unless there is one that the store knows. Undefined if that has become the object, which is only to be finalized. */
async function openMultipart(
  { tx, actor, input }: Context,
  asset: StoredAsset,
  { storage, multipart }: PartStore,
): Promise<OpenMultipart | undefined> {
  const { multipart_id: expected, storage_key: key, asset_id: assetId, size: sizeBytes } = asset;
  const stored = expected === null ? undefined : await multipart.parts(key, expected);
  if (expected !== null && stored !== undefined)
    return { multipart, multipartId: expected, stored: new Map(stored.map((part) => [part.number, part])) };
  // The object of an available asset may be the damaged one that the upload is to replace.
  const mayBeCompleted = expected !== null && asset.status === 'Dangling';
  if (mayBeCompleted && (await isUploadCompleted(storage, { key, assetId: input.assetId, sizeBytes })))
    return undefined;
  if ('userId' in actor && !(await noteUploader(tx, { assetId, userId: ids.user.raw(actor.userId) })))
    throw new ActionError('Invalid', tooManyUnfinished);
  const options = { assetId: input.assetId, digest: digestBytes(asset.digest) };
  const multipartId = await multipart.start(key, options);
  if ((await changeMultipart(tx, { assetId, multipartId, expected })) === multipartId)
    return { multipart, multipartId, stored: new Map() };
  await multipart.abort(key, multipartId);
  throw new ActionError('NotReady', 'Another client has just started this upload; try again.', {
    retryAfterSecs: 1,
  });
}

async function partUrl(
  { size, storage_key: key }: StoredAsset,
  upload: OpenMultipart | undefined,
  part: WantedPart,
) {
  const { number } = part;
  if (upload === undefined) return { number };
  const { multipart, multipartId, stored } = upload;
  const digest = digestBytes(part.digest);
  const sizeBytes = partBytesOf(number, size);
  const present = stored.get(number);
  const isStored = present?.sizeBytes === sizeBytes && (present.digest?.equals(digest) ?? true);
  if (isStored) return { number };
  const wanted = { number, sizeBytes, digest, ttlSecs: uploadUrlSecs };
  return { number, ...(await multipart.presign(key, multipartId, wanted)) };
}
