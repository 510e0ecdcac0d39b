import { catalogue } from './catalogue.ts';
import { hugeFile, largeFiles } from './large-files.ts';
import { smallAssets } from './many-files.ts';
import { storedObjects } from './stored-objects.ts';
import { upkeep } from './upkeep/upkeep.ts';

/** Uploads and downloads of assets on the local disk, the catalogue of a large repository, and the upkeep of a large stock. */
export const assetParts = {
  large: largeFiles,
  small: smallAssets,
  catalogue,
  huge: hugeFile,
  store: storedObjects,
  upkeep,
};
