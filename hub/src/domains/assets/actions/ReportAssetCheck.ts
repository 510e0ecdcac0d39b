import { ids, isDamaged } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { mustBeHub } from '../../users/index.ts';
import { recordCheck } from '../sql/asset-checks.ts';

const digestBytes = 32;

/** Records a check of stored bytes; announces damage once. */
export const ReportAssetCheck: Handler<'repositories_ReportAssetCheck'> = {
  authorize: ({ actor }) => mustBeHub(actor),

  async run({ tx, input, now, emit }) {
    const { assetId, storageStatus, detail, chunkDigests = '', seen } = input;
    const digests = Buffer.from(chunkDigests, 'base64');
    const checked = await recordCheck(tx, {
      assetId: ids.asset.raw(assetId),
      storageStatus,
      detail,
      chunkDigests: digests.length > digestBytes ? digests : undefined,
      seen: seen && {
        store_id: seen.storeId ?? null,
        storage_key: seen.storageKey,
        storage_checked_at: seen.checkedAt ?? null,
      },
      now,
    });
    if (checked === undefined || checked.before === checked.after) return {};
    const repositoryId = ids.repository.of(checked.repository_id);
    if (isDamaged(storageStatus) && !isDamaged(checked.before))
      emit('repositories_AssetDamaged', {
        repositoryId,
        assetId,
        status: storageStatus,
        detail: detail ?? '',
      });
    else emit('repositories_AssetChecked', { repositoryId, assetId });
    return {};
  },
};
