import { ids, type Id } from '@corral/contract';
import type { Internal } from '../../../calls/handler.ts';
import { changeMultipart } from '../sql/asset-uploads.ts';

interface Change {
  readonly assetId: Id<'asset'>;
  /** As the store names it; undefined for none. */
  readonly multipartId?: string | undefined;
  /** The one that is replaced; undefined for none. */
  readonly expected?: string | undefined;
}

/** The present one, if there is one. */
type Changed = { readonly result: 'NotFound' } | { readonly result: 'Found'; readonly multipartId?: string };

/** Records under which upload in parts the bytes of an asset come into its store. */
export const ChangeMultipartUpload: Internal<Change, Changed> = {
  name: 'repositories_ChangeMultipartUpload',
  isOneStatement: () => true,

  async run({ tx, input: { assetId, multipartId = null, expected = null } }) {
    const present = await changeMultipart(tx, { assetId: ids.asset.raw(assetId), multipartId, expected });
    if (present === undefined) return { result: 'NotFound' };
    return { result: 'Found', ...(present === null ? {} : { multipartId: present }) };
  },
};
