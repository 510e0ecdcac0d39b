import { readList, type Executor } from '@corral/client';
import type { Id, Output } from '@corral/contract';

/** A version in the list of its package. */
export type ListedVersion = Output<'repositories_QueryPackageVersions'>['versions'][number];

/** What a tag points at. */
export interface TagState {
  readonly version: ListedVersion;
  readonly locked: boolean;
}

/** What every tag of a list of versions points at. */
export function tagsOf(versions: readonly ListedVersion[]): Map<string, TagState> {
  const states = versions.flatMap((version) =>
    version.tags.map(({ tag, locked }): [string, TagState] => [tag, { version, locked }]),
  );
  return new Map(states);
}

/** All versions of a package, newest first. */
export async function listVersions(hub: Executor, packageId: Id<'package'>): Promise<ListedVersion[]> {
  return (await readList(hub, 'repositories_QueryPackageVersions', { packageId })).versions;
}

/**
 * Whether tags stand in the way of a change of a version: a locked one, or without `mayMove` one that points at another version. With
 * `isRemoval` a locked tag of the version itself stands in the way too.
 */
export async function isTagConflict(
  hub: Executor,
  versionId: Id<'packageVersion'>,
  tags: readonly string[],
  { mayMove, isRemoval }: { readonly mayMove: boolean; readonly isRemoval: boolean },
): Promise<boolean> {
  const { packageId } = await hub.invoke('repositories_GetPackageVersionDetails', { versionId });
  const states = tagsOf(await listVersions(hub, packageId));
  return tags.some((tag) => {
    const state = states.get(tag);
    if (state === undefined) return false;
    const isElsewhere = state.version.versionId !== versionId;
    return state.locked ? isElsewhere || isRemoval : isElsewhere && !mayMove;
  });
}
