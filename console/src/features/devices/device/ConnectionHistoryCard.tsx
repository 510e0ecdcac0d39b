import type { Id } from '@corral/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { deviceCopy } from './copy.ts';
import { deviceConnectionsQuery } from '../queries.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { DataTable } from '../../../ui/table/DataTable.tsx';
import { ErrorBoundary } from '../../../parts/ErrorBoundary.tsx';
import { LoadMore } from '../../../parts/LoadMore.tsx';
import { useChangedRows } from '../../../parts/use-changed-rows.ts';
import { useLast } from '../../../parts/use-last.ts';
import { connectionColumns, type PastConnection } from './connection-columns.tsx';
import { inHubTime } from '../../../data/hub-clock.ts';

const words = deviceCopy.history;
// The hub keeps the newest 50.
const limits = [5, 30, 50];

/** The newest connections of a device, including live ones: duration and end reason of each. */
export function ConnectionHistoryCard({ deviceId }: { deviceId: Id<'device'> }) {
  const [limit, setLimit] = useState(5);
  const { data, error, refetch, isPlaceholderData, dataUpdatedAt } = useQuery({
    ...deviceConnectionsQuery(deviceId, limit),
    placeholderData: keepPreviousData,
  });
  // Those that are known stay while more are loaded, and when that fails.
  const { connections } = useLast(data) ?? {};
  const readAtMs = useLast(dataUpdatedAt || undefined) ?? 0;
  const columns = useMemo(() => connectionColumns(inHubTime(readAtMs)), [readAtMs]);
  const isNew = useChangedRows(connections, keyOf, changeKey, String(isPlaceholderData ? 'loading' : limit));
  const next = limits.find((one) => one > limit);
  const hasMore =
    isPlaceholderData || (connections !== undefined && connections.length >= limit && next !== undefined);
  return (
    <Card isFlush title={words.title} meta={<span className="max-sm:hidden">{words.kept}</span>}>
      <ErrorBoundary isFlush>
        {connections !== undefined && (
          <DataTable
            isFlush
            label={words.title}
            columns={columns}
            rows={connections}
            rowKey={keyOf}
            isChanged={isNew}
            empty={<p className="px-4.5 py-3.5 text-body text-ink3">{words.empty}</p>}
          />
        )}
      </ErrorBoundary>
      <ErrorBoundary isFlush error={data === undefined ? error : undefined} onRetry={() => void refetch()}>
        {connections === undefined ? (
          <p role="status" className="px-4.5 py-3.5 text-body text-ink3">
            {words.loading}
          </p>
        ) : (
          hasMore && (
            <LoadMore
              label={words.more}
              isLoading={isPlaceholderData}
              onLoad={() => setLimit(next ?? limit)}
            />
          )
        )}
      </ErrorBoundary>
    </Card>
  );
}

function keyOf({ connectionId }: PastConnection): string {
  return connectionId;
}

function changeKey({ endReason }: PastConnection): string {
  return endReason ?? '';
}
