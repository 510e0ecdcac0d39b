import { assetUrlKeyPurpose } from '../../../auth/asset-url.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustBeHub } from '../../users/index.ts';
import { existingInstanceKey } from '../../instance/index.ts';

/** Returns the key of asset URLs to the part of the hub that serves them; nothing if none was ever signed. */
export const GetAssetUrlKey: Handler<'repositories_GetAssetUrlKey'> = {
  authorize: ({ actor }) => mustBeHub(actor),

  async run({ tx, vault }) {
    const key = await existingInstanceKey({ tx, vault }, assetUrlKeyPurpose);
    return key === undefined ? {} : { key: key.toString('base64') };
  },
};
