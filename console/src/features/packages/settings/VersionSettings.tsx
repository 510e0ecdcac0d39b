import { labelProblem, type Output } from '@corral/contract';
import { object, pipe, trim } from 'valibot';
import { problemCopy } from '../../../copy/problems.ts';
import { DangerCard } from '../../../parts/DangerCard.tsx';
import { follows } from '../../../parts/follows.ts';
import { RenameCard } from '../../../parts/RenameCard.tsx';
import { setVersionName } from '../mutations.ts';
import type { PackageParams } from '../package/version-columns.tsx';
import { packageSettingsCopy } from './copy.ts';
import { useDeleteVersion } from './use-delete.tsx';

const schema = object({
  name: pipe(
    follows((typed) => labelProblem(typed, 'versionName'), problemCopy),
    trim(),
  ),
});

/** Renames and deletes a version, for those who may write. */
export function VersionSettings({
  params,
  version,
}: {
  params: PackageParams;
  version: Output<'repositories_GetPackageVersionDetails'>;
}) {
  const { versionId, name = '', tags } = version;
  const remove = useDeleteVersion(params, version);
  const locked = tags.find((tag) => tag.locked)?.tag;
  const words = packageSettingsCopy.deleteVersion;
  return (
    <>
      <RenameCard
        {...{ name, schema }}
        isOptional
        words={packageSettingsCopy.versionName}
        mutation={setVersionName}
        inputOf={(next) => ({ versionId, ...(next === '' ? {} : { name: next }) })}
        ownerOnly={undefined}
      />
      <DangerCard
        title={packageSettingsCopy.danger}
        verb={words.verb}
        text={`${words.text} ${consequencesOf(tags)}`}
        ownerOnly={locked === undefined ? undefined : words.locked(locked)}
        onDelete={remove}
      />
    </>
  );
}

/** A locked tag keeps the version, which is said elsewhere. */
function consequencesOf(tags: Output<'repositories_GetPackageVersionDetails'>['tags']): string {
  const words = packageSettingsCopy.deleteVersion;
  if (tags.length === 0) return words.noTags;
  return tags.some(({ locked }) => locked) ? '' : words.tags(tags.map(({ tag }) => tag));
}
