import { pathNameProblem } from '@corral/contract';
import type { ListedVersion } from '../package/version-columns.tsx';

// The tag that means the newest version by convention.
const mainTag = 'latest';
/** More would be a wall of buttons. */
const maxOffered = 8;

/** The tags that a new version may take with one click: those of the newest versions that can move, and one that is called as the version. */
export function offeredTags(versions: readonly ListedVersion[], name: string): readonly string[] {
  const tags = versions.flatMap((version) => version.tags);
  const movable = tags.filter(({ locked }) => !locked).map(({ tag }) => tag);
  const taken = new Set(tags.map(({ tag }) => tag));
  const own = name.trim();
  return [
    ...movable.slice(0, maxOffered),
    ...[mainTag, own].filter((tag) => pathNameProblem(tag, 'tag') === undefined && !taken.has(tag)),
  ].filter((tag, index, all) => all.indexOf(tag) === index);
}
