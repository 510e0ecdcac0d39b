import type { Id } from '@corral/contract';
import { Link } from '@tanstack/react-router';
import { moreLiveRows } from '../../../parts/more-live-rows.ts';
import { NextPage } from '../../../parts/NextPage.tsx';
import { useActorNames } from '../../../parts/use-actor-names.ts';
import { useLivePages } from '../../../parts/use-live-pages.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { middleTruncate } from '../../../ui/text/middle-truncate.ts';
import { RelativeTime } from '../../../ui/time/RelativeTime.tsx';
import { operationsCopy } from '../copy.ts';
import { selectionErrorsQuery } from '../fleet-operations.ts';

const words = operationsCopy.selection;

/** The devices of which it could not be decided whether they are meant, each with the reason. */
export function SelectionErrorsCard({
  projectId,
  fleetOperationId,
}: {
  projectId: Id<'project'>;
  fleetOperationId: Id<'fleetOperation'>;
}) {
  const names = useActorNames(projectId);
  const pages = useLivePages({
    queryOf: (after) => selectionErrorsQuery(fleetOperationId, after),
    rowsOf: ({ errors }) => errors,
    keyOf: ({ deviceId }) => deviceId,
    isEnabled: true,
  });
  const { rows = [] } = pages;
  return (
    <Card isFlush title={words.title} meta={words.text} className="mb-5">
      <ul className="divide-y divide-line">
        {rows.map(({ deviceId, error, updatedAt }) => (
          <li
            key={deviceId}
            className="flex flex-wrap items-baseline gap-x-4 gap-y-1 px-4.5 py-2.5 text-body"
          >
            <Link
              to="/projects/$projectId/devices/$deviceId"
              params={{ projectId, deviceId }}
              className="w-40 font-head wrap-anywhere hover:underline"
            >
              {names.get(deviceId) ?? middleTruncate(deviceId, 14)}
            </Link>
            <span className="min-w-0 flex-1 basis-48 wrap-anywhere">{error}</span>
            <RelativeTime at={updatedAt} />
          </li>
        ))}
      </ul>
      {pages.loadMore !== undefined && <NextPage more={moreLiveRows(pages, rows.length)} />}
    </Card>
  );
}
