import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { mustBeHub } from '../../users/index.ts';
import { completeUploads } from '../sql/asset-uploads.ts';
import { announceCompleted } from '../sql/completed-assets.ts';

const digestBytes = 32;

/** Makes assets available. It is called only once the bytes are durable, so a crash leaves bytes without an available asset, never the reverse. */
export const CompleteAssetUploads: Handler<'repositories_CompleteAssetUploads'> = {
  authorize: ({ actor }) => mustBeHub(actor),

  async run({ tx, input: { uploads }, now, emit }) {
    const completions = uploads.map(({ assetId, chunkDigests, ...more }) => {
      const digests = Buffer.from(chunkDigests, 'base64');
      // The digest of a single chunk is that of the whole.
      const isSingle = digests.length <= digestBytes;
      return { assetId: ids.asset.raw(assetId), chunkDigests: isSingle ? undefined : digests, ...more };
    });
    const completed = await completeUploads(tx, completions, now);
    for (const asset of new Set(completed)) if (asset !== undefined) announceCompleted(emit, asset);
    return { results: completed.map((asset) => (asset === undefined ? 'NotFound' : 'Completed')) };
  },
};
