import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowRight } from 'lucide-react';
import { repositoryQuery } from '../../../data/queries-repositories.ts';
import { useLoadedQuery } from '../../../data/use-loaded-query.ts';
import { TagBadge } from '../../../ui/badge/TagBadge.tsx';
import { TextLink } from '../../../ui/text/TextLink.tsx';
import { RelativeTime } from '../../../ui/time/RelativeTime.tsx';
import { taggedVersionQuery, versionQuery } from '../queries.ts';
import { versionName } from '../version-name.ts';
import { type ListedVersion, type PackageParams, versionLink } from './version-columns.tsx';

// The tag that means the newest version by convention.
const mainTag = 'latest';

type Pointed = Pick<ListedVersion, 'versionId' | 'name' | 'createdAt' | 'tags'>;

/** What the tag `latest` points to, above the list; nothing without that tag. */
export function PointedAt({
  params,
  packageName,
  versions,
  isWhole,
}: {
  params: PackageParams;
  packageName: string;
  /** The newest versions of the package. */
  versions: readonly ListedVersion[];
  /** Whether these are all of its versions. */
  isWhole: boolean;
}) {
  const listed = versions.find(hasMainTag);
  if (listed !== undefined) return <PointedVersion params={params} version={listed} />;
  return isWhole ? null : <ResolvedVersion params={params} packageName={packageName} />;
}

const hasMainTag = ({ tags }: Pointed) => tags.some(({ tag }) => tag === mainTag);

/** The version that the hub finds by the tag, among any number of them. */
function ResolvedVersion({ params, packageName }: { params: PackageParams; packageName: string }) {
  const { name } = useLoadedQuery(repositoryQuery(params.repositoryId)).data;
  const path = { repository: name, package: packageName, tag: mainTag };
  const { data: found } = useQuery(taggedVersionQuery(path));
  return found?.result === 'Found' ? <ReadVersion params={params} versionId={found.versionId} /> : null;
}

function ReadVersion({ params, versionId }: { params: PackageParams; versionId: Pointed['versionId'] }) {
  const { data: version } = useQuery(versionQuery(versionId as Id<'packageVersion'>));
  if (version === undefined || !hasMainTag(version)) return null;
  return <PointedVersion params={params} version={version} />;
}

function PointedVersion({ params, version }: { params: PackageParams; version: Pointed }) {
  const isLocked = version.tags.some(({ tag, locked }) => tag === mainTag && locked);
  return (
    <p className="mb-4 flex flex-wrap items-center gap-2 rounded-card border border-line bg-surface px-4.5 py-3 text-body">
      <TagBadge tag={mainTag} isLocked={isLocked} />
      <ArrowRight size={15} aria-hidden className="text-ink3 rtl:-scale-x-100" />
      <span className="min-w-0 wrap-anywhere">
        <TextLink render={<Link {...versionLink(params, version.versionId)} />}>
          {versionName(version)}
        </TextLink>
      </span>
      <RelativeTime at={version.createdAt} className="text-ink3" />
    </p>
  );
}
