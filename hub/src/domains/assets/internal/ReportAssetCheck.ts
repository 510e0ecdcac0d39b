import { ids, isDamaged, type Id } from '@corral/contract';
import type { Internal } from '../../../calls/handler.ts';
import { recordCheck } from '../sql/asset-checks.ts';
import type { StorageStatus } from '../sql/assets.ts';

const digestBytes = 32;

interface AssetCheck {
  readonly assetId: Id<'asset'>;
  readonly storageStatus: StorageStatus;
  readonly detail?: string;
  /** The SHA-256 of each MiB, joined. */
  readonly chunkDigests?: Buffer | undefined;
  /** What was known when the check began: nothing is recorded if it has changed since, because somebody may have repaired or moved the bytes. */
  readonly seen?: {
    readonly storeId?: string | undefined;
    readonly storageKey: string;
    readonly checkedAt?: string | undefined;
  };
}

/** Records a check of stored bytes; announces damage once. */
export const ReportAssetCheck: Internal<AssetCheck, void> = {
  name: 'repositories_ReportAssetCheck',
  async run({ tx, input, now, emit }) {
    const { assetId, storageStatus, detail, chunkDigests: digests, seen } = input;
    const checked = await recordCheck(tx, {
      assetId: ids.asset.raw(assetId),
      storageStatus,
      detail,
      chunkDigests: digests !== undefined && digests.length > digestBytes ? digests : undefined,
      seen: seen && {
        store_id: seen.storeId ?? null,
        storage_key: seen.storageKey,
        storage_checked_at: seen.checkedAt ?? null,
      },
      now,
    });
    if (checked === undefined || checked.before === checked.after) return;
    const repositoryId = ids.repository.of(checked.repository_id);
    if (isDamaged(storageStatus) && !isDamaged(checked.before))
      emit('repositories_AssetDamaged', {
        repositoryId,
        assetId,
        status: storageStatus,
        detail: detail ?? '',
      });
    else emit('repositories_AssetChecked', { repositoryId, assetId });
  },
};
