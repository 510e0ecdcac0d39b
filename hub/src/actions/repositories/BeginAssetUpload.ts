import { ids } from '@corral/contract';
import type { Handler } from '../../executor/handler.ts';
import { mustBeHub } from '../../policy/actors.ts';
import { beginUpload } from '../../store/asset-uploads.ts';
import { toStored } from '../../store/assets.ts';

const damaged = ['Missing', 'Mismatched'];

/** Leases an asset to one writer, who comes with a signed URL. */
export const BeginAssetUpload: Handler<'repositories_BeginAssetUpload'> = {
  isOneStatement: () => true,

  authorize: ({ actor }) => mustBeHub(actor),

  async run({ tx, nodeId, input, now }) {
    const { leaseId } = input;
    const lease = { assetId: ids.asset.raw(input.assetId), leaseId, nodeId, now };
    const asset = await beginUpload(tx, lease);
    if (asset === undefined || asset.status === 'Deleting') return { result: 'NotFound' };
    const replaces = damaged.includes(asset.storage_status);
    if (asset.is_taken)
      return {
        result: 'Taken',
        ...toStored(asset),
        replaces,
        ...(asset.multipart_id === null ? {} : { multipartId: asset.multipart_id }),
      };
    if (asset.status === 'Available' && !replaces) return { result: 'Available', ...toStored(asset) };
    return { result: 'Busy', retryAfterSecs: asset.waitSecs };
  },
};
