import type { AuditLogEvent, Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Cpu, Server } from 'lucide-react';
import { projectLogSearchQuery } from '../data/queries-projects.ts';
import { LinkedCard } from '../ui/layout/LinkedCard.tsx';
import { Skeleton } from '../ui/layout/Skeleton.tsx';
import { Avatar } from '../ui/picture/Avatar.tsx';
import { RelativeTime } from '../ui/time/RelativeTime.tsx';
import { activityCopy } from './activity-copy.ts';
import { type Activity, foldAlike } from './fold-alike.ts';
import { AuditSentence } from './AuditSentence.tsx';
import { type ActorNames, useActorNames } from './use-actor-names.ts';

const read = 60;

/** What was done in a project last, in sentences; what one actor did many times in a row is one of them. */
export function ActivityCard({
  projectId,
  shown = 8,
  className,
}: {
  projectId: Id<'project'>;
  shown?: number | undefined;
  className?: string | undefined;
}) {
  const { data } = useQuery(projectLogSearchQuery(projectId, { limit: read }));
  const names = useActorNames(projectId);
  return (
    <LinkedCard
      title={activityCopy.title}
      className={className}
      link={<Link to="/projects/$projectId/log" params={{ projectId }} search={{}} />}
    >
      {data === undefined ? (
        <Skeleton height="12rem" />
      ) : (
        <ul className="flex flex-col">
          {foldAlike(data.events, data.next !== undefined)
            .slice(0, shown)
            .map((activity) => (
              <ActivityRow key={activity.entry.eventId} {...{ activity, names }} />
            ))}
        </ul>
      )}
    </LinkedCard>
  );
}

function ActivityRow({ activity: { entry, more, isCut }, names }: { activity: Activity; names: ActorNames }) {
  return (
    <li className="flex items-start gap-3 py-1.5">
      <ActorPicture {...{ entry, names }} />
      <span className="min-w-0 flex-1 text-body text-ink2 [&_a]:text-ink [&_b]:text-ink">
        <AuditSentence {...{ entry }} known={{ names, isAdmin: false }} />
        {more > 0 && ` ${activityCopy.more(more, isCut)}`}
      </span>
      <span className="shrink-0 text-small/5 text-ink2">
        <RelativeTime at={entry.createdAt} />
      </span>
    </li>
  );
}

function ActorPicture({ entry: { actor }, names }: { entry: AuditLogEvent; names: ActorNames }) {
  const name = 'userId' in actor ? names.get(actor.userId) : undefined;
  if (name !== undefined) return <Avatar name={name} size={20} />;
  const Icon = actor.kind === 'Device' ? Cpu : Server;
  return (
    <span
      aria-hidden
      className="flex size-5 shrink-0 items-center justify-center rounded-full bg-sunken text-ink2"
    >
      <Icon size={12} />
    </span>
  );
}
