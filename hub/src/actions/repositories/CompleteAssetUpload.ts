import { ids } from '@corral/contract';
import type { Handler } from '../../executor/handler.ts';
import { mustBeHub } from '../../policy/actors.ts';
import { completeUpload } from '../../store/asset-uploads.ts';

const digestBytes = 32;

/** Makes an asset available. It is called only once the bytes are durable, so a crash leaves bytes without an available asset, never the reverse. */
export const CompleteAssetUpload: Handler<'repositories_CompleteAssetUpload'> = {
  authorize: ({ actor }) => mustBeHub(actor),

  async run({ tx, input, now, emit }) {
    const { assetId, storageStatus } = input;
    const digests = Buffer.from(input.chunkDigests, 'base64');
    const completed = await completeUpload(tx, {
      assetId: ids.asset.raw(assetId),
      // The digest of a single chunk is that of the whole.
      chunkDigests: digests.length > digestBytes ? digests : undefined,
      storageStatus,
      now,
    });
    if (completed === undefined) return { result: 'NotFound' };
    const { repository_id, size, digest, was_available: wasAvailable } = completed;
    const repositoryId = ids.repository.of(repository_id);
    if (wasAvailable) emit('repositories_AssetChecked', { repositoryId, assetId });
    else emit('repositories_AssetAvailable', { repositoryId, assetId, size, digest });
    return { result: 'Completed' };
  },
};
