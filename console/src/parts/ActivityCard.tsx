import type { AuditLogEvent, Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Cpu, Server } from 'lucide-react';
import { projectLogQuery } from '../../data/queries-projects.ts';
import { AuditSentence } from '../../parts/AuditSentence.tsx';
import { type ActorNames, useActorNames } from '../../parts/use-actor-names.ts';
import { Skeleton } from '../../ui/layout/Skeleton.tsx';
import { Avatar } from '../../ui/picture/Avatar.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { overviewCopy } from './copy.ts';
import { OverviewCard } from './OverviewCard.tsx';

/** What was done in a project last, in sentences; all of it is in the log. */
export function ActivityCard({
  projectId,
  entries = 8,
}: {
  projectId: Id<'project'>;
  entries?: number | undefined;
}) {
  const { data } = useQuery(projectLogQuery(projectId, { limit: entries }));
  const names = useActorNames(projectId);
  return (
    <OverviewCard
      title={overviewCopy.activity}
      link={<Link to="/projects/$projectId/log" params={{ projectId }} search={{}} />}
    >
      {data === undefined ? (
        <Skeleton height="12rem" />
      ) : (
        <ul className="flex flex-col">
          {data.events.map((entry) => (
            <li key={entry.eventId} className="flex items-center gap-3 py-1.5">
              <ActorPicture {...{ entry, names }} />
              <span className="min-w-0 flex-1 text-body text-ink2 [&_a]:text-ink [&_b]:text-ink">
                <AuditSentence {...{ entry }} known={{ names, isAdmin: false }} />
              </span>
              <span className="shrink-0 text-small text-ink2">
                <RelativeTime at={entry.createdAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </OverviewCard>
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
