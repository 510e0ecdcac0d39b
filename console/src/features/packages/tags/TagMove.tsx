import type { Output } from '@corral/contract';
import { Link } from '@tanstack/react-router';
import { ScrollText } from 'lucide-react';
import type { ReactNode } from 'react';
import { ActorView } from '../../../parts/ActorView.tsx';
import type { ActorNames } from '../../../parts/use-actor-names.ts';
import { TagBadge } from '../../../ui/badge/TagBadge.tsx';
import { TextLink } from '../../../ui/text/TextLink.tsx';
import { RelativeTime } from '../../../ui/time/RelativeTime.tsx';
import { packagesCopy } from '../copy.ts';
import { type PackageParams, versionLink } from '../package/version-columns.tsx';
import { versionName } from '../version-name.ts';

type Move = Output<'repositories_QueryTagHistory'>['moves'][number];
type Pointed = NonNullable<Move['from']>;

const words = packagesCopy.history;

/** One change of a tag: when, who, from which version and to which. */
export function TagMove({
  params,
  names,
  move,
  actions,
}: {
  params: PackageParams;
  names: ActorNames;
  move: Move;
  actions: ReactNode;
}) {
  const { tag, locked, movedAt, actor, eventId } = move;
  const what = messageOf(move);
  return (
    <li className="relative flex flex-wrap items-start justify-between gap-x-6 gap-y-2 border-s border-line ps-5 pb-5 last:pb-0">
      <span
        aria-hidden
        className="absolute start-0 top-1.5 size-2.5 -translate-x-1/2 rounded-full border-2 border-denim bg-surface rtl:translate-x-1/2"
      />
      <div className="flex min-w-0 flex-col gap-1.5">
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-body">
          <TagBadge tag={tag} isLocked={locked} />
          <span className="font-head wrap-anywhere text-ink">{what}</span>
          <RelativeTime at={movedAt} className="text-ink3" />
        </div>
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-body text-ink2">
          {move.from !== undefined && (
            <>
              {words.from} <PointedVersion {...{ params }} version={move.from} />
            </>
          )}
          {move.to !== undefined && move.to.versionId !== move.from?.versionId && (
            <>
              {words.to} <PointedVersion {...{ params }} version={move.to} />
            </>
          )}
        </div>
      </div>
      <div className="flex min-w-0 flex-wrap items-start gap-x-4 gap-y-1.5 text-body wrap-anywhere">
        {actions}
        {actor !== undefined && (
          <ActorView actor={actor} context={{ data: params, names, isAdmin: false }} onFilter={undefined} />
        )}
        {actor !== undefined && (
          <TextLink
            render={
              <Link
                to="/repositories/$repositoryId/log"
                params={{ repositoryId: params.repositoryId }}
                search={{ entry: eventId }}
                aria-label={words.entryOf(tag, what)}
              />
            }
          >
            <span className="inline-flex items-center gap-1.5">
              <ScrollText size={14} aria-hidden />
              {words.entry}
            </span>
          </TextLink>
        )}
      </div>
    </li>
  );
}

function messageOf({ from, to }: Move): string {
  if (to === undefined) return words.removed;
  if (from === undefined) return words.set;
  return from.versionId === to.versionId ? words.locked : words.moved;
}

function PointedVersion({ params, version }: { params: PackageParams; version: Pointed }) {
  const name = versionName(version);
  if (!version.exists)
    return (
      <span className="min-w-0 wrap-anywhere text-ink3">
        {name} ({words.gone})
      </span>
    );
  return (
    <span className="min-w-0 wrap-anywhere">
      <TextLink render={<Link {...versionLink(params, version.versionId)} />}>{name}</TextLink>
    </span>
  );
}
