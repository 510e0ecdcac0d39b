import { Link } from '@tanstack/react-router';
import { ArrowRight } from 'lucide-react';
import { TagBadge } from '../../../ui/badge/TagBadge.tsx';
import { TextLink } from '../../../ui/text/TextLink.tsx';
import { RelativeTime } from '../../../ui/time/RelativeTime.tsx';
import { versionName } from '../version-name.ts';
import { type ListedVersion, type PackageParams, versionLink } from './version-columns.tsx';

// The tag that means the newest version by convention.
const mainTag = 'latest';

/** What the tag `latest` points to, above the list; nothing without that tag. */
export function PointedAt({
  params,
  versions,
}: {
  params: PackageParams;
  versions: readonly ListedVersion[];
}) {
  const version = versions.find(({ tags }) => tags.some(({ tag }) => tag === mainTag));
  const tag = version?.tags.find((one) => one.tag === mainTag);
  if (version === undefined || tag === undefined) return null;
  const name = versionName(version);
  return (
    <p className="mb-4 flex flex-wrap items-center gap-2 rounded-card border border-line bg-surface px-4.5 py-3 text-body">
      <TagBadge tag={mainTag} isLocked={tag.locked} />
      <ArrowRight size={15} aria-hidden className="text-ink3 rtl:-scale-x-100" />
      <span className="min-w-0 wrap-anywhere">
        <TextLink render={<Link {...versionLink(params, version.versionId)} />}>{name}</TextLink>
      </span>
      <RelativeTime at={version.createdAt} className="text-ink3" />
    </p>
  );
}
