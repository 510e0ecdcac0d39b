import type { Output } from '@corral/contract';
import { Link } from '@tanstack/react-router';
import { Badge } from '../../ui/badge/Badge.tsx';
import { RoleBadge } from '../../ui/badge/RoleBadge.tsx';
import { VisibilityBadge } from '../../ui/badge/VisibilityBadge.tsx';
import { CardLink } from '../../ui/layout/CardLink.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { repositoriesCopy as words } from './copy.ts';

type Repository = Output<'users_QueryUserRepositories'>['repositories'][number];

/** A repository as a card: its name, how many packages it has, who may read it, and what was published last. */
export function RepositoryCard({ repository }: { repository: Repository }) {
  const { repositoryId, name, packageCount, visibility, isOwner, isMember } = repository;
  return (
    <CardLink
      render={<Link to="/repositories/$repositoryId" params={{ repositoryId }} />}
      title={name}
      meta={<span className="tabular">{words.packages(packageCount)}</span>}
      badge={
        <span className="flex shrink-0 flex-wrap items-center justify-end gap-1.5">
          <VisibilityBadge visibility={visibility} />
          {isOwner && <RoleBadge isOwner />}
          {!isMember && <Badge tone="outline">{words.linked}</Badge>}
        </span>
      }
    >
      <Newest newest={repository.newestVersion} />
    </CardLink>
  );
}

function Newest({ newest }: { newest: Repository['newestVersion'] }) {
  if (newest === undefined) return <span className="text-body text-ink3">{words.nothingYet}</span>;
  const { packageName, name, createdAt } = newest;
  return (
    <span className="own-direction min-w-0 text-body wrap-anywhere text-ink2">
      {words.newest(name === undefined ? packageName : `${packageName} ${name}`)}{' '}
      <span className="relative z-10">
        <RelativeTime at={createdAt} className="text-ink3" />
      </span>
    </span>
  );
}
