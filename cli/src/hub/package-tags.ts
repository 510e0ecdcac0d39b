import { mapConcurrently, readList, type Executor } from '@corral/client';
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

/** The hub takes no longer text to search for. */
const maxSearchedCharacters = 100;

/** The versions of a package, newest first: all, or those whose name, id or tag contains a text; a hub of an earlier release answers all. */
export async function listVersions(
  hub: Executor,
  packageId: Id<'package'>,
  text?: string,
): Promise<ListedVersion[]> {
  const search = Array.from(text ?? '')
    .slice(0, maxSearchedCharacters)
    .join('');
  const input = { packageId, ...(search === '' ? {} : { search }) };
  return (await readList(hub, 'repositories_QueryPackageVersions', input)).versions;
}

/** What some tags of a package point at. */
export async function findTags(
  hub: Executor,
  packageId: Id<'package'>,
  tags: readonly string[],
): Promise<Map<string, TagState>> {
  const found = await mapConcurrently([...tags], (tag) => listVersions(hub, packageId, tag));
  return tagsOf(found.flat());
}

/** Whether tags prevent a change of a version: locked ones, or without `mayMove` those of other versions; with `isRemoval` also its own locked ones. */
export async function isTagConflict(
  hub: Executor,
  versionId: Id<'packageVersion'>,
  tags: readonly string[],
  { mayMove, isRemoval }: { readonly mayMove: boolean; readonly isRemoval: boolean },
): Promise<boolean> {
  const { packageId } = await hub.invoke('repositories_GetPackageVersionDetails', { versionId });
  const states = await findTags(hub, packageId, tags);
  return tags.some((tag) => {
    const state = states.get(tag);
    if (state === undefined) return false;
    const isElsewhere = state.version.versionId !== versionId;
    return state.locked ? isElsewhere || isRemoval : isElsewhere && !mayMove;
  });
}
