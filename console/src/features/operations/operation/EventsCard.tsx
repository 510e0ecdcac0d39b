import type { Actor, Id, Output } from '@corral/contract';
import { ErrorBoundary } from '../../../parts/ErrorBoundary.tsx';
import { moreLiveRows } from '../../../parts/more-live-rows.ts';
import { NextPage } from '../../../parts/NextPage.tsx';
import { useActorNames } from '../../../parts/use-actor-names.ts';
import { useLivePages } from '../../../parts/use-live-pages.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { Skeleton } from '../../../ui/layout/Skeleton.tsx';
import { RelativeTime } from '../../../ui/time/RelativeTime.tsx';
import { operationsCopy } from '../copy.ts';
import { operationEventsQuery } from '../fleet-operations.ts';
import { whoOf } from '../operation-columns.tsx';

const words = operationsCopy.events;

type Event = Output<'fleet_QueryOperationEvents'>['events'][number];

/** What happened in an operation, newest first. */
export function EventsCard({
  projectId,
  fleetOperationId,
}: {
  projectId: Id<'project'>;
  fleetOperationId: Id<'fleetOperation'>;
}) {
  const names = useActorNames(projectId);
  const pages = useLivePages({
    queryOf: (after) => operationEventsQuery(fleetOperationId, after),
    rowsOf: ({ events }) => events,
    keyOf: (event) => JSON.stringify(event),
    isEnabled: true,
  });
  const { rows } = pages;
  return (
    <Card isFlush title={words.title}>
      {rows === undefined ? (
        <ErrorBoundary isFlush error={pages.error ?? undefined} onRetry={pages.retry}>
          <div className="p-4.5">
            <Skeleton height="6rem" />
          </div>
        </ErrorBoundary>
      ) : rows.length === 0 ? (
        <p className="px-4.5 py-3.5 text-body text-ink3">{words.none}</p>
      ) : (
        <ul className="divide-y divide-line">
          {rows.map((event) => (
            <li key={JSON.stringify(event)} className="flex items-baseline gap-4 px-4.5 py-2.5 text-body">
              <span className="min-w-0 flex-1 wrap-anywhere">
                <span className="font-head">{kindText(event.kind)}</span>{' '}
                <span className="text-ink2">{detailOf(event, whoOf(event.actor, names), names)}</span>
              </span>
              <RelativeTime at={event.at} />
            </li>
          ))}
        </ul>
      )}
      {rows !== undefined && pages.loadMore !== undefined && (
        <NextPage more={moreLiveRows(pages, rows.length)} />
      )}
    </Card>
  );
}

/** The kind of an event in words: a known one has its own, "StepClaimed" is "Step claimed". */
function kindText(kind: string): string {
  const known = (words.kinds as Readonly<Record<string, string>>)[kind.replace(/^.*_(?:Operation)?/u, '')];
  const spaced = kind
    .replace(/^.*_/u, '')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/gu, ' ')
    .toLowerCase();
  return known ?? spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

function detailOf({ data, deviceId }: Event, who: string, names: ReadonlyMap<string, string>): string {
  const { reason, error, stage, devices, isForced, approvedFor } = (
    typeof data === 'object' && data !== null && !Array.isArray(data) ? data : {}
  ) as Record<string, unknown>;
  return [
    typeof stage === 'string' ? stage : '',
    deviceId === undefined ? '' : (names.get(deviceId) ?? deviceId),
    typeof devices === 'number' ? operationsCopy.meta.devices(devices) : '',
    who === '' ? '' : words.by(who),
    approvedFor === undefined ? '' : words.askedBy(whoOf(approvedFor as Actor, names)),
    isForced === true ? words.forced : '',
    ...[reason, error].filter((text) => typeof text === 'string'),
  ]
    .filter((part) => part !== '')
    .join(' · ');
}
