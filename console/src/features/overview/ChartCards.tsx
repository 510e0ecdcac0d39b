import type { Id } from '@corral/contract';
import type { UseQueryResult } from '@tanstack/react-query';
import { Button } from '../../ui/action/Button.tsx';
import { uiCopy } from '../../ui/copy.ts';
import { messageOf } from '../../ui/form/message-of.ts';
import { Skeleton } from '../../ui/layout/Skeleton.tsx';
import type { History } from '../../parts/history/history-times.ts';
import { ConnectedCard } from './ConnectedCard.tsx';
import { historyCopy } from '../../parts/history/copy.ts';
import { overviewCopy } from './copy.ts';
import { EventsCard } from './EventsCard.tsx';
import { LinkedCard } from '../../ui/layout/LinkedCard.tsx';
import type { Range } from '../../parts/history/chart-range.ts';

/** The charts of a time; while they load their outlines, and what went wrong where they cannot be read. */
export function ChartCards({
  projectId,
  range,
  history: { data, error, refetch },
  devices,
}: {
  projectId: Id<'project'>;
  range: Range;
  history: UseQueryResult<History>;
  devices: number;
}) {
  if (data !== undefined)
    return (
      <>
        <ConnectedCard {...{ projectId, range, devices }} history={data} />
        <EventsCard {...{ projectId, range }} history={data} />
      </>
    );
  const content =
    error === null ? (
      <Skeleton height="7rem" />
    ) : (
      <div className="flex flex-wrap items-center gap-3 text-body text-ink2">
        {messageOf(error)}
        <Button size="small" onClick={() => void refetch()}>
          {uiCopy.error.retry}
        </Button>
      </div>
    );
  return (
    <>
      <LinkedCard title={overviewCopy.connected}>{content}</LinkedCard>
      <LinkedCard title={historyCopy.eventsPer[range]}>{content}</LinkedCard>
    </>
  );
}
