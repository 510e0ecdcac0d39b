import { assetUrlKeyPurpose } from '../../../auth/asset-url.ts';
import type { Internal } from '../../../calls/handler.ts';
import { existingInstanceKey } from '../../instance/index.ts';

/** Returns the key of asset URLs to the part of the hub that serves them; nothing if none was ever signed. */
export const GetAssetUrlKey: Internal<void, Buffer | undefined> = {
  name: 'repositories_GetAssetUrlKey',
  isQuery: true,
  run: ({ tx, vault }) => existingInstanceKey({ tx, vault }, assetUrlKeyPurpose),
};
