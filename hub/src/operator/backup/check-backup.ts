import { hashContent } from '../../domains/assets/storage/content-hash.ts';
import { StorageError } from '../../domains/assets/storage/asset-storage.ts';
import { inOrder, keyInBackup, readAssetList, type ListedAsset } from './asset-list.ts';
import { DamagedBackupError } from './DamagedBackupError.ts';
import { checkStoredFile } from './hashed-file.ts';
import { mustHaveManifest, type Manifest } from './manifest.ts';
import type { Progress } from './progress.ts';
import { counted } from './save-assets.ts';
import { backupAssets } from './save-backup.ts';

const atOnce = 4;

/** Reads every byte of a backup. Throws a DamagedBackupError that names the first file that is missing or was changed. */
export async function checkBackup(folder: string, progress: Progress): Promise<Manifest> {
  const manifest = await mustHaveManifest(folder);
  const { tables, assets, secretKey } = manifest;
  const files = [...tables, assets.list, ...(secretKey.file === undefined ? [] : [secretKey.file])];
  const total = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, assets.copiedBytes);
  progress.step('Checking the backup', total);
  for (const file of files) await checkStoredFile(folder, file, progress);
  // The hash thread does not keep the process alive.
  const alive = setInterval(() => undefined, 60_000);
  await checkAssets(folder, manifest, progress).finally(() => clearInterval(alive));
  progress.end();
  return manifest;
}

async function checkAssets(folder: string, { assets }: Manifest, progress: Progress): Promise<void> {
  const storage = backupAssets(folder);
  let copied = 0;
  const listed = readAssetList(folder, assets.list.path);
  const checked = inOrder(listed, atOnce, async (asset) => {
    if (asset.place !== 'copied') return 0;
    const found = await hashOf(asset);
    if (found !== asset.digest) throw damaged(asset, `have the SHA-256 ${found}`);
    return 1;
  });
  for await (const count of checked) copied += count;
  if (copied !== assets.copied)
    throw new DamagedBackupError(
      'The backup is damaged: the list of assets has another number of them than the manifest.',
    );

  async function hashOf(asset: ListedAsset): Promise<string> {
    try {
      const bytes = await storage.read(keyInBackup(asset));
      const { digest } = await hashContent(counted(bytes, progress), asset.sizeBytes);
      return digest.toString('hex');
    } catch (error) {
      const fault = error instanceof StorageError ? error.fault : undefined;
      if (fault === 'Missing') throw damaged(asset, 'are missing');
      if (fault === 'Unreadable') throw damaged(asset, 'cannot be read from the disk');
      if (fault === 'SizeMismatch') throw damaged(asset, `are more than ${asset.sizeBytes}`);
      throw error;
    }
  }
}

function damaged(asset: ListedAsset, how: string): DamagedBackupError {
  return new DamagedBackupError(
    `The backup is damaged: the bytes of the asset assets/objects/${keyInBackup(asset)} ${how}.`,
  );
}
