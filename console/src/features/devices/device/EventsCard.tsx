import type { DeviceEvent, DeviceEventSeverity, Id } from '@corral/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { deviceCopy } from './copy.ts';
import { deviceEventsLimit, deviceEventsQuery } from '../queries.ts';
import { FilterChips } from '../../../ui/form/FilterChips.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { DataTable } from '../../../ui/table/DataTable.tsx';
import { ErrorBoundary } from '../../../parts/ErrorBoundary.tsx';
import { useChangedRows } from '../../../parts/use-changed-rows.ts';
import { eventColumns } from './event-columns.tsx';
import { severities } from './severities.ts';
import { LoadMore } from './LoadMore.tsx';

const words = deviceCopy.events;
const limits = [deviceEventsLimit, 30, 100, 300, 1000, 3000, 10_000];

/** The newest events of a device, or of those with `severity`; updated live. */
export function EventsCard({
  deviceId,
  severity,
  onSeverityChange,
}: {
  deviceId: Id<'device'>;
  severity: DeviceEventSeverity | undefined;
  onSeverityChange: (severity: DeviceEventSeverity | undefined) => void;
}) {
  const [limit, setLimit] = useState(deviceEventsLimit);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...deviceEventsQuery(deviceId, limit, severity),
    placeholderData: keepPreviousData,
  });
  const newest = useQuery(deviceEventsQuery(deviceId)).data?.events;
  const columns = useMemo(() => eventColumns(), []);
  // While the hub looks for a severity, those that were shown before and have it.
  const events = isPlaceholderData
    ? data?.events.filter((event) => severity === undefined || event.severity === severity)
    : data?.events;
  const scope = `${severity ?? ''} ${isPlaceholderData ? 'loading' : limit}`;
  const isNew = useChangedRows(events, keyOf, () => '', scope);
  const next = limits.find((one) => one > limit);
  const hasMore = events !== undefined && events.length >= limit && next !== undefined;
  return (
    <Card
      isFlush
      title={words.title}
      meta={
        events !== undefined &&
        events.length > 0 && <span className="max-sm:hidden">{words.shown(events.length)}</span>
      }
      actions={
        newest !== undefined &&
        newest.length > 0 && <SeverityChips {...{ newest, severity, onSeverityChange }} />
      }
    >
      <ErrorBoundary isFlush error={data === undefined ? error : undefined} onRetry={() => void refetch()}>
        {events === undefined ? (
          <p role="status" className="px-4.5 py-3.5 text-body text-ink3">
            {words.loading}
          </p>
        ) : (
          <DataTable
            isFlush
            label={words.title}
            columns={columns}
            rows={events}
            rowKey={keyOf}
            isChanged={isNew}
            empty={
              <p className="px-4.5 py-3.5 text-body text-ink3">
                {severity === undefined ? words.empty : words.none(severity)}
              </p>
            }
          />
        )}
        {hasMore && (
          <LoadMore label={words.more} isLoading={isPlaceholderData} onLoad={() => setLimit(next)} />
        )}
      </ErrorBoundary>
    </Card>
  );
}

function keyOf({ eventId }: DeviceEvent): string {
  return eventId;
}

/** All severities where there are more events than the newest ones; else those that occur. */
function SeverityChips({
  newest,
  severity,
  onSeverityChange,
}: {
  newest: readonly DeviceEvent[];
  severity: DeviceEventSeverity | undefined;
  onSeverityChange: (severity: DeviceEventSeverity | undefined) => void;
}) {
  const isAll = newest.length < deviceEventsLimit;
  const offered = severities.filter(
    (one) => !isAll || one === severity || newest.some((event) => event.severity === one),
  );
  return (
    <FilterChips
      label={words.severity}
      value={severity ?? 'all'}
      onValueChange={(value) => onSeverityChange(value === 'all' ? undefined : value)}
      chips={[
        { value: 'all' as const, label: words.all },
        ...offered.map((value) => ({ value, label: value })),
      ]}
    />
  );
}
