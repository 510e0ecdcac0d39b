import type { Line } from '../table.ts';
import type { Testbed } from '../testbed.ts';
import { catalogue } from './catalogue.ts';
import { hugeFile, largeFiles } from './large-files.ts';
import { fairDownloads, smallAssets } from './many-files.ts';

/** Uploads and downloads of assets on the local disk, and the catalogue of a large repository. */
export async function assets(testbed: Testbed): Promise<Line[]> {
  const lines: Line[] = [];
  for (const part of [largeFiles, smallAssets, fairDownloads, catalogue, hugeFile])
    lines.push(...(await part(testbed)));
  return lines;
}
