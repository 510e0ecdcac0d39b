import type { Output } from '@corral/contract';
import { versionName } from './version-name.ts';

type Version = Output<'repositories_QueryPackageVersions'>['versions'][number];

/** The versions of a package as options of a combobox, found by name, id and tags. */
export function versionOptions(
  versions: readonly Version[],
): { value: Version['versionId']; label: string; hint?: string }[] {
  return versions.map((version) => ({
    value: version.versionId,
    label: versionName(version),
    hint: version.tags.map(({ tag }) => tag).join(', '),
  }));
}
