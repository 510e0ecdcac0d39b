import { actionMutation } from '../../data/action-mutation.ts';
import { packageSettingsCopy } from './settings/copy.ts';

/** Creates a package; its result says whether the name was free. */
export const createPackage = actionMutation('repositories_CreatePackage', 'repositories_PackageCreated');

/** Creates a version without tags and files. */
export const createVersion = actionMutation(
  'repositories_CreatePackageVersion',
  'repositories_VersionCreated',
);

/** Sets or clears the name of a version. */
export const setVersionName = actionMutation('repositories_SetVersionName', 'repositories_VersionChanged');

/** Replaces the metadata of a version. */
export const setVersionMetadata = actionMutation(
  'repositories_SetVersionMetadata',
  'repositories_VersionChanged',
);

/** Deletes a version with its tags; refused while one of them is locked. */
export const deleteVersion = actionMutation(
  'repositories_DeletePackageVersion',
  'repositories_VersionDeleted',
  { deletes: ({ versionId }) => versionId },
);

/** Removes a file from a version; refused while a locked tag points at it. */
export const removeVersionFile = actionMutation(
  'repositories_RemovePackageVersionAsset',
  'repositories_FileRemoved',
);

/** Removes a file from a package itself. */
export const removePackageFile = actionMutation(
  'repositories_RemovePackageAsset',
  'repositories_FileRemoved',
);

const setPackageName = actionMutation('repositories_SetPackageName', 'repositories_PackageChanged');

/** Renames a package; rejects where the name is taken. */
export const renamePackage: typeof setPackageName = {
  ...setPackageName,
  mutationFn: async (input, context) => {
    const answer = await setPackageName.mutationFn?.(input, context);
    if (answer?.result !== 'Success') throw new Error(packageSettingsCopy.packageName.taken(input.name));
    return answer;
  },
};

/** Sets or clears the kind of a package. */
export const setPackageKind = actionMutation('repositories_SetPackageKind', 'repositories_PackageChanged');

/** Replaces the metadata of a package. */
export const setPackageMetadata = actionMutation(
  'repositories_SetPackageMetadata',
  'repositories_PackageChanged',
);

/** Deletes a package with its versions; refused while one of its tags is locked. */
export const deletePackage = actionMutation('repositories_DeletePackage', 'repositories_PackageDeleted', {
  deletes: ({ packageId }) => packageId,
});
