import type { Output } from '@corral/contract';
import { TagBadge } from '../../ui/badge/TagBadge.tsx';
import { Tooltip } from '../../ui/overlay/Tooltip.tsx';
import { packagesCopy } from './copy.ts';

type Tag = Output<'repositories_QueryPackageVersions'>['versions'][number]['tags'][number];

/** The tags of a version, one badge each; a locked one looks different and says why. */
export function Tags({ tags }: { tags: readonly Tag[] }) {
  if (tags.length === 0) return <span className="text-ink3">{packagesCopy.package.untagged}</span>;
  return (
    <span className="flex min-w-0 flex-wrap gap-1.5">
      {tags.map(({ tag, locked }) => {
        const badge = <TagBadge key={tag} tag={tag} isLocked={locked} />;
        if (!locked) return badge;
        return (
          <Tooltip key={tag} content={packagesCopy.package.locked}>
            <span tabIndex={0} className="inline-flex max-w-full rounded-full">
              {badge}
            </span>
          </Tooltip>
        );
      })}
    </span>
  );
}
