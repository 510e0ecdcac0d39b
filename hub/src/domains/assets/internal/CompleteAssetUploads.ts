import { ids, type Id } from '@corral/contract';
import type { Internal } from '../../../calls/handler.ts';
import { completeUploads, type WrittenTo } from '../sql/asset-uploads.ts';
import type { StorageStatus } from '../sql/assets.ts';
import { announceCompleted } from '../sql/completed-assets.ts';

const digestBytes = 32;

interface CompletedUpload {
  readonly assetId: Id<'asset'>;
  /** The SHA-256 of each MiB, joined; empty if they are not known. */
  readonly chunkDigests: Buffer;
  readonly storageStatus: StorageStatus;
  /** By default where the asset is. */
  readonly writtenTo?: WrittenTo;
}

/** Makes assets available. It is called only once the bytes are durable, so a crash leaves bytes without an available asset, never the reverse. */
export const CompleteAssetUploads: Internal<
  { uploads: readonly CompletedUpload[] },
  { results: ('Completed' | 'NotFound')[] }
> = {
  name: 'repositories_CompleteAssetUploads',
  async run({ tx, input: { uploads }, now, emit }) {
    const completions = uploads.map(({ assetId, chunkDigests: digests, ...more }) => {
      // The digest of a single chunk is that of the whole.
      const isSingle = digests.length <= digestBytes;
      return { assetId: ids.asset.raw(assetId), chunkDigests: isSingle ? undefined : digests, ...more };
    });
    const completed = await completeUploads(tx, completions, now);
    for (const asset of new Set(completed)) if (asset !== undefined) announceCompleted(emit, asset);
    return { results: completed.map((asset) => (asset === undefined ? 'NotFound' : 'Completed')) };
  },
};
