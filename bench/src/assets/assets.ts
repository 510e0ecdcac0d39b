import { catalogue } from './catalogue.ts';
import { hugeFile, largeFiles } from './large-files.ts';
import { fairDownloads, smallAssets } from './many-files.ts';
import { storedObjects } from './stored-objects.ts';

/** Uploads and downloads of assets on the local disk, and the catalogue of a large repository. */
export const assetParts = {
  large: largeFiles,
  small: smallAssets,
  fair: fairDownloads,
  catalogue,
  huge: hugeFile,
  store: storedObjects,
};
