import type { Executor } from '@corral/client';
import type { Id, Json, Output } from '@corral/contract';

/** What has files, by its id: a version, or a package itself. */
export type FileOwner = { readonly versionId: Id<'packageVersion'> } | { readonly packageId: Id<'package'> };

/** A file of a version or package. */
export type OwnedFile = Output<'repositories_GetPackageVersionDetails'>['assets'][number];

/** An asset as a file. */
interface NewFile {
  readonly assetId: Id<'asset'>;
  readonly filename: string;
  readonly metadata?: Record<string, Json>;
}

/** The files of a version or package, and its repository. */
export async function readFiles(
  hub: Executor,
  owner: FileOwner,
): Promise<{ readonly repositoryId: Id<'repository'>; readonly files: readonly OwnedFile[] }> {
  const { repositoryId, assets: files } =
    'versionId' in owner
      ? await hub.invoke('repositories_GetPackageVersionDetails', owner)
      : await hub.invoke('repositories_GetPackageDetails', owner);
  return { repositoryId, files };
}

/** Adds a file; true also if it was there with the same asset, false if another file has its name. */
export async function addFile(hub: Executor, owner: FileOwner, file: NewFile): Promise<boolean> {
  const { result } =
    'versionId' in owner
      ? await hub.invoke('repositories_AddPackageVersionAsset', { ...owner, ...file })
      : await hub.invoke('repositories_AddPackageAsset', { ...owner, ...file });
  if (result === 'Added') return true;
  const { files } = await readFiles(hub, owner);
  const stored = file.filename.normalize();
  return files.some(({ filename, assetId }) => filename === stored && assetId === file.assetId);
}

/** Removes a file from a version or package. */
export async function removeFile(hub: Executor, owner: FileOwner, filename: string): Promise<void> {
  if ('versionId' in owner)
    await hub.invoke('repositories_RemovePackageVersionAsset', { ...owner, filename });
  else await hub.invoke('repositories_RemovePackageAsset', { ...owner, filename });
}
