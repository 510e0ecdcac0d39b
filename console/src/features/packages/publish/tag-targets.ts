import type { Id, Output } from '@corral/contract';
import { useQueries } from '@tanstack/react-query';
import { repositoryQuery } from '../../../data/queries-repositories.ts';
import { useLoadedQuery } from '../../../data/use-loaded-query.ts';
import type { PackageParams } from '../package/version-columns.tsx';
import { packageQuery, taggedVersionQuery, versionQuery } from '../queries.ts';

/** What a tag points at now. */
export interface TagTarget {
  readonly tag: string;
  /** Undefined where there is no such tag. */
  readonly version: Output<'repositories_GetPackageVersionDetails'> | undefined;
  readonly isLocked: boolean;
  /** Whether the hub has not answered yet. */
  readonly isPending: boolean;
}

/** What tags of a package point at now, in their order. */
export function useTagTargets(params: PackageParams, tags: readonly string[]): readonly TagTarget[] {
  const { name: repository } = useLoadedQuery(repositoryQuery(params.repositoryId)).data;
  const { name } = useLoadedQuery(packageQuery(params.packageId)).data;
  const resolved = useQueries({
    queries: tags.map((tag) => taggedVersionQuery({ repository, package: name, tag })),
  });
  const ids = resolved.map(({ data }) => (data?.result === 'Found' ? data.versionId : undefined));
  const known = [...new Set(ids.filter((id) => id !== undefined))];
  const versions = useQueries({ queries: known.map((id) => versionQuery(id as Id<'packageVersion'>)) });
  return tags.map((tag, index) => {
    const id = ids[index];
    const version = id === undefined ? undefined : versions[known.indexOf(id)]?.data;
    return {
      tag,
      version,
      isLocked: version?.tags.some((one) => one.tag === tag && one.locked) === true,
      isPending: resolved[index]?.data === undefined || (id !== undefined && version === undefined),
    };
  });
}
