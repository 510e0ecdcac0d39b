import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readAssetList } from './asset-list.ts';
import { readManifest, writeManifest, type Manifest } from './manifest.ts';

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'corral-malformed-'))));
afterEach(() => rm(folder, { recursive: true }));

test('a manifest that lacks what a restore needs is refused', async () => {
  await writeManifest(folder, { format: 1 } as unknown as Manifest);
  await expect(readManifest(folder)).rejects.toThrow(
    `The backup is damaged: ${join(folder, 'manifest.json')} is not a valid manifest.`,
  );
});

test('a list of assets with a malformed line is refused', async () => {
  await writeFile(join(folder, 'assets.tsv'), 'copied\tno asset\n');
  await expect(readAssetList(folder, 'assets.tsv').next()).rejects.toThrow(
    'The list of assets, assets.tsv, has a malformed line.',
  );
});
