import { ids, isDamaged } from '@corral/contract';
import { storageKey } from '../../assets/storage-key.ts';
import type { Handler, HandlerContext } from '../../executor/handler.ts';
import { mustBeHub } from '../../policy/actors.ts';
import { mayWriteNow } from '../../policy/asset-readers.ts';
import { needsObjectStore } from '../../policy/object-stores.ts';
import { beginUpload, releaseUpload, type BegunUpload, type UploadLease } from '../../store/asset-uploads.ts';
import { digestBytes, toStored } from '../../store/assets.ts';
import { noteUploader, tooManyUnfinished } from '../../store/unfinished-uploads.ts';
import { storeForNewAssets } from '../../store/object-stores.ts';

type Context = HandlerContext<'repositories_BeginAssetUpload'>;

/** Leases an asset to one writer, who comes with a signed URL. */
export const BeginAssetUpload: Handler<'repositories_BeginAssetUpload'> = {
  isOneStatement: () => true,

  authorize: ({ actor }) => mustBeHub(actor),

  async run(context) {
    const { tx, nodeId, input, now } = context;
    const lease = { assetId: ids.asset.raw(input.assetId), leaseId: input.leaseId, nodeId, now };
    const { writer } = input;
    if (writer !== undefined && !(await mayWriteNow(tx, { assetId: lease.assetId, reader: writer, now })))
      return { result: 'NotWritable' };
    const asset = await beginUpload(tx, { ...lease, movesFromDisk: input.isMove === true });
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
  const isMoving = asset.store_id === null && (input.isMove === true || !storages.mayKeepOnDisk);
  if (!isMoving) return { ...toStored(asset), isMoving };
  const { storeId, prefix } = await storeForNewAssets(tx, asset.repository_id);
  if (storeId === null) {
    await releaseUpload(tx, lease);
    throw needsObjectStore();
  }
  const key = storageKey(prefix, asset.repository_id, digestBytes(asset.digest));
  return { ...toStored(asset), storeId, storageKey: key, isMoving };
}
