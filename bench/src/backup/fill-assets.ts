import type { BenchUser } from '../bench-hub.ts';
import { content } from '../assets/content.ts';
import { assetClient } from '../assets/transfers.ts';
import type { BackupSizes } from './sizes.ts';

/** Uploads the assets to a repository of the hub. */
export async function fillAssets(user: BenchUser, sizes: BackupSizes): Promise<void> {
  const client = await assetClient(user, 'backed up');
  try {
    for (let index = 0; index < sizes.largeAssets; index += 1)
      await client.upload(content(sizes.largeBytes, index));
    for (let index = 0; index < sizes.smallAssets; index += 1)
      await client.upload(content(sizes.smallBytes, index + sizes.largeAssets));
  } finally {
    client.close();
  }
}
