import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';
import { repositoryProjectsQuery } from '../../../data/queries-repositories.ts';
import { TagBadge } from '../../../ui/badge/TagBadge.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { PreviewFigure } from '../../../ui/layout/PreviewFigure.tsx';
import { PreviewPart } from '../../../ui/layout/PreviewPart.tsx';
import { formatSize } from '../../../ui/text/format-size.ts';
import { versionName } from '../version-name.ts';
import { publishCopy } from './copy.ts';
import type { DraftVersion } from './draft-version.ts';
import type { TagTarget } from './tag-targets.ts';

const words = publishCopy.preview;

/** What publishing a version will change, and for which devices. */
export function Preview({
  repositoryId,
  draft: { name, files, tags },
  targets,
}: {
  repositoryId: Id<'repository'>;
  draft: DraftVersion;
  targets: readonly TagTarget[];
}) {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const locked = tags.filter((one) => one.locked).map(({ tag }) => tag);
  return (
    <Card isFlush title={words.title} meta={words.asOfNow}>
      <dl className="grid grid-cols-[1fr_1.5fr_1fr] divide-x divide-line">
        <PreviewFigure value={files.length.toLocaleString('en')} label={words.files(files.length)} />
        <PreviewFigure value={formatSize(bytes)} label={words.size} />
        <PreviewFigure value={String(tags.length)} label={words.tags(tags.length)} />
      </dl>
      <PreviewPart title={words.changes}>
        {tags.length === 0 && <p className="text-body text-ink2">{words.noTags}</p>}
        <ul className="flex flex-col gap-2">
          {targets.map((target) => (
            <Move
              key={target.tag}
              target={target}
              isLocked={locked.includes(target.tag)}
              to={name.trim() === '' ? words.unnamed : name.trim()}
            />
          ))}
        </ul>
        {locked.length > 0 && (
          <p className="mt-3 text-body font-head wrap-anywhere">{words.lockedFor(locked)}</p>
        )}
        {tags.length > 0 && files.length === 0 && <p className="mt-3 text-body text-warn">{words.noFiles}</p>}
      </PreviewPart>
      {tags.length > 0 && <Followers repositoryId={repositoryId} />}
    </Card>
  );
}

function Move({ target, isLocked, to }: { target: TagTarget; isLocked: boolean; to: string }) {
  const { tag, version } = target;
  return (
    <li className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
      <TagBadge tag={tag} isLocked={isLocked || target.isLocked} />
      {!target.isPending && (
        <span className="flex min-w-0 flex-wrap items-center gap-2 font-mono text-mono wrap-anywhere">
          <span className="text-ink3">{version === undefined ? words.added : versionName(version)}</span>
          {!target.isLocked && (
            <>
              <ArrowRight size={14} aria-hidden className="shrink-0 text-ink3 rtl:-scale-x-100" />
              <span className="sr-only">{words.to}</span>
              <bdi className="font-head text-ink">{to}</bdi>
            </>
          )}
        </span>
      )}
    </li>
  );
}

const shownProjects = 6;

function Followers({ repositoryId }: { repositoryId: Id<'repository'> }) {
  const { data } = useQuery(repositoryProjectsQuery(repositoryId));
  if (data === undefined) return null;
  const { projects } = data;
  return (
    <PreviewPart title={words.followers}>
      {projects.length === 0 && <p className="text-body text-ink2">{words.noProjects}</p>}
      <ul className="flex flex-col gap-1.5">
        {projects.slice(0, shownProjects).map(({ projectId, name, devices }) => (
          <li key={projectId} className="flex items-baseline justify-between gap-4 text-body">
            <bdi className="min-w-0 wrap-anywhere">{name}</bdi>
            <span className="tabular shrink-0 font-head">{words.devices(devices)}</span>
          </li>
        ))}
        {projects.length > shownProjects && (
          <li className="text-body text-ink3">{words.more(projects.length - shownProjects)}</li>
        )}
      </ul>
    </PreviewPart>
  );
}
