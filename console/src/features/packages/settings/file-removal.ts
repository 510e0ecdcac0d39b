import type { Id, Output } from '@corral/contract';
import type { Run } from '../../../data/action-mutation.ts';
import type { FileRemoval } from '../../../parts/asset/AssetActions.tsx';
import { removePackageFile, removeVersionFile } from '../mutations.ts';
import { versionName } from '../version-name.ts';
import { packageSettingsCopy } from './copy.ts';

type Asset = Output<'repositories_GetAssetDetails'>;

const words = packageSettingsCopy.removeFile;

/** The question before a file is removed from a version: which tags point there, and what becomes of its bytes. */
export function fileRemoval(
  run: Run,
  {
    version,
    asset,
    filename,
  }: { version: Output<'repositories_GetPackageVersionDetails'>; asset: Asset; filename: string },
): FileRemoval {
  const tags = version.tags.map(({ tag }) => tag);
  const locked = version.tags.find((tag) => tag.locked)?.tag;
  return {
    ...questionOf(filename),
    text: [words.version(versionName(version)), tags.length > 0 && words.tags(tags), bytesOf(asset)]
      .filter(Boolean)
      .join(' '),
    action: () => run(removeVersionFile, { versionId: version.versionId, filename }),
    disabledReason: locked === undefined ? undefined : words.locked(locked),
  };
}

/** The question before a file is removed from a package itself. */
export function packageFileRemoval(
  run: Run,
  {
    details,
    asset,
    filename,
  }: { details: Output<'repositories_GetPackageDetails'>; asset: Asset; filename: string },
): FileRemoval {
  return {
    ...questionOf(filename),
    text: [words.package(details.name), bytesOf(asset)].join(' '),
    action: () => run(removePackageFile, { packageId: details.packageId as Id<'package'>, filename }),
    disabledReason: undefined,
  };
}

const questionOf = (filename: string) => ({
  title: words.title(filename),
  verb: words.verb,
  done: words.done(filename),
});

/** The file itself is one of those that refer to the asset. */
const bytesOf = ({ referenceCount }: Asset): string =>
  referenceCount > 1 ? words.others(referenceCount - 1) : words.last;
