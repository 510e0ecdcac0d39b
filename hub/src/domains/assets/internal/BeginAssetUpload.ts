import { ids, isDamaged, type Id } from '@corral/contract';
import { sql } from 'kysely';
import type { AssetReader } from '../../../auth/asset-url.ts';
import type { CallContext, Internal } from '../../../calls/handler.ts';
import { amounts } from '../../../limits/amounts.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { mayWriteNow } from '../policy/asset-readers.ts';
import { needsObjectStore } from '../policy/object-stores.ts';
import { beginUpload, releaseUpload, type BegunUpload, type UploadLease } from '../sql/asset-uploads.ts';
import { digestBytes, toStored, type StoredPlace } from '../sql/assets.ts';
import { storeForNewAssets } from '../sql/object-stores.ts';
import { storageKey } from '../storage/storage-key.ts';

interface Asked {
  readonly assetId: Id<'asset'>;
  readonly leaseId: string;
  /** Also leases a whole asset of the data folder, to move it to an object store. */
  readonly isMove?: boolean;
  /** Who asked for the upload URL; nothing is leased if this one may not write the asset any more. */
  readonly writer?: AssetReader | undefined;
  /** Whether the bytes come in parts, of which some are kept if the rest does not come. */
  readonly isInParts?: boolean;
}

type Begun =
  | { readonly result: 'NotFound' }
  | { readonly result: 'NotWritable' }
  /** The writer has too many unfinished uploads in parts. */
  | { readonly result: 'TooMany'; readonly message: string }
  /** The bytes are stored already. */
  | ({ readonly result: 'Available' } & StoredPlace)
  | { readonly result: 'Busy'; readonly retryAfterSecs: number }
  | ({
      readonly result: 'Taken';
      /** The stored object is damaged: write over it. */
      readonly replaces: boolean;
      readonly multipartId?: string;
    } & StoredPlace);

type Context = CallContext<Asked>;

/** Leases an asset to one writer, who comes with a signed URL. */
export const BeginAssetUpload: Internal<Asked, Begun> = {
  name: 'repositories_BeginAssetUpload',
  isOneStatement: () => true,

  async run(context) {
    const { tx, nodeId, input, now } = context;
    const lease = { assetId: ids.asset.raw(input.assetId), leaseId: input.leaseId, nodeId, now };
    const mayWrite = mayWriteNow(input.writer, now);
    const asset = await beginUpload(tx, { ...lease, mayWrite, movesFromDisk: input.isMove === true });
    if (asset?.may_write === false) return { result: 'NotWritable' };
    if (asset === undefined || asset.status === 'Deleting') return { result: 'NotFound' };
    const replaces = isDamaged(asset.storage_status);
    if (asset.is_taken && !(await mayBeginParts(context, lease.assetId))) {
      await releaseUpload(tx, lease);
      return { result: 'TooMany', message: tooManyUnfinished };
    }
    if (asset.is_taken)
      return {
        result: 'Taken',
        ...(await targetOf(context, asset, lease)),
        replaces,
        ...(asset.multipart_id === null ? {} : { multipartId: asset.multipart_id }),
      };
    if (asset.status === 'Available' && !replaces) return { result: 'Available', ...toStored(asset) };
    return { result: 'Busy', retryAfterSecs: asset.waitSecs };
  },
};

async function mayBeginParts(
  { tx, input: { isInParts, writer } }: Context,
  assetId: string,
): Promise<boolean> {
  if (isInParts !== true || writer === undefined || 'deviceId' in writer) return true;
  return noteUploader(tx, { assetId, userId: ids.user.raw(writer.userId) });
}

/** Where the bytes go: to the store of the asset, or, where only one node has that, to the one of new assets. */
async function targetOf({ tx, storages, input }: Context, asset: BegunUpload, lease: UploadLease) {
  if (asset.store_id !== null || (storages.mayKeepOnDisk && input.isMove !== true)) return toStored(asset);
  const { storeId, prefix } = await storeForNewAssets(tx, asset.repository_id);
  if (storeId === null) {
    await releaseUpload(tx, lease);
    throw needsObjectStore();
  }
  const key = storageKey(prefix, asset.repository_id, digestBytes(asset.digest));
  return { ...toStored(asset), storeId, storageKey: key };
}

/** What a user is told who has begun too many. */
const tooManyUnfinished = `You have ${amounts.unfinishedUploads.max} unfinished uploads in parts. Finish some, or delete their assets, then try again.`;

/** An upload in parts that is to begin or goes on. Ids are raw. */
interface UploadInParts {
  readonly assetId: string;
  readonly userId: string;
}

/** Notes whose an upload in parts is; false if it would be another one of a user who has too many. Those who begin at the same time may exceed the limit by their number. */
async function noteUploader(tx: Database, { assetId, userId }: UploadInParts): Promise<boolean> {
  const { rows } = await sql<{ readonly may: boolean }>`
    with noted as (
      update assets set begun_by = ${userId} where asset_id = ${assetId} and begun_by is null
        and (select count(*) from (select 1 from assets where begun_by = ${userId} and status = 'Dangling' limit ${amounts.unfinishedUploads.max}) as l) < ${amounts.unfinishedUploads.max}
      returning 1
    )
    select exists (select from noted) or exists (select from assets where asset_id = ${assetId} and begun_by is not null) as may`.execute(
    tx,
  );
  return rows[0]?.may === true;
}
