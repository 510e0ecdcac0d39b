import type { Id, Output } from '@corral/contract';
import type { QueryClient } from '@tanstack/react-query';
import { repositoryProjectsQuery, repositoryQuery } from '../../../data/queries-repositories.ts';
import type { PackageParams } from '../package/version-columns.tsx';
import { comparisonQuery, packageQuery, taggedVersionQuery, versionQuery } from '../queries.ts';

type Version = Output<'repositories_GetPackageVersionDetails'>;

/** A tag and the version that it is to point at. */
export interface WantedTag {
  readonly tag: string;
  readonly versionId: Id<'packageVersion'>;
  readonly locked: boolean;
}

/** What setting a tag would change. */
export interface TagChange extends WantedTag {
  readonly to: Version;
  /** The version that the tag points at now; undefined where there is no such tag. */
  readonly from: Version | undefined;
  /** Whether the tag is locked there. */
  readonly isLocked: boolean;
  /** What a device of `from` would find other; undefined where the version stays. */
  readonly differences: Output<'repositories_CompareVersions'> | undefined;
  /** The projects whose devices may follow the tag. */
  readonly projects: Output<'repositories_QueryRepositoryProjects'>['projects'];
}

const fresh = { staleTime: 0, retry: false } as const;

/** Asks the hub what setting a tag would change now. */
export async function readTagChange(
  client: QueryClient,
  { repositoryId, packageId }: PackageParams,
  wanted: WantedTag,
): Promise<TagChange> {
  const [repository, { name }, { projects }, to] = await Promise.all([
    client.fetchQuery(repositoryQuery(repositoryId)),
    client.fetchQuery(packageQuery(packageId)),
    client.fetchQuery({ ...repositoryProjectsQuery(repositoryId), ...fresh }),
    client.fetchQuery({ ...versionQuery(wanted.versionId), ...fresh }),
  ]);
  const path = { repository: repository.name, package: name, tag: wanted.tag };
  const found = await client.fetchQuery({ ...taggedVersionQuery(path), ...fresh });
  if (found.result === 'NotFound')
    return { ...wanted, to, from: undefined, isLocked: false, differences: undefined, projects };
  const fromId = found.versionId as Id<'packageVersion'>;
  const isSame = fromId === wanted.versionId;
  const from = isSame ? to : await client.fetchQuery({ ...versionQuery(fromId), ...fresh });
  const differences = isSame
    ? undefined
    : await client.fetchQuery({ ...comparisonQuery(fromId, wanted.versionId), ...fresh });
  const isLocked = from.tags.some(({ tag, locked }) => tag === wanted.tag && locked);
  return { ...wanted, to, from, isLocked, differences, projects };
}
