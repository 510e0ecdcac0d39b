import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { mustBeHub } from '../../users/index.ts';
import { changeMultipart } from '../sql/asset-uploads.ts';

/** Records under which upload in parts the bytes of an asset come into its store. */
export const ChangeMultipartUpload: Handler<'repositories_ChangeMultipartUpload'> = {
  isOneStatement: () => true,

  authorize: ({ actor }) => mustBeHub(actor),

  async run({ tx, input: { assetId, multipartId = null, expected = null } }) {
    const present = await changeMultipart(tx, { assetId: ids.asset.raw(assetId), multipartId, expected });
    if (present === undefined) return { result: 'NotFound' };
    return { result: 'Found', ...(present === null ? {} : { multipartId: present }) };
  },
};
