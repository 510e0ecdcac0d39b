import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { terms } from '../../../copy/terms.ts';
import { deviceCopy } from './copy.ts';
import { clusterQuery } from '../../../data/queries-account.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import type { DataColumn } from '../../../ui/table/data-table.ts';
import { DataTable } from '../../../ui/table/DataTable.tsx';
import { IdTag } from '../../../ui/text/IdTag.tsx';
import { Duration } from '../../../ui/time/Duration.tsx';
import { RelativeTime } from '../../../ui/time/RelativeTime.tsx';
import { ErrorBoundary } from '../../../parts/ErrorBoundary.tsx';
import type { DeviceDetails, DeviceCardProps } from './device-details.ts';

type LiveConnection = DeviceDetails['connections'][number];

const words = deviceCopy.connections;

/** The live connections of a device, and the cluster node of each. */
export function ConnectionsCard({ details, readAtMs, error, onRetry }: DeviceCardProps) {
  const connections = details?.connections;
  const count = connections?.length ?? 0;
  const columns = useMemo(() => liveConnectionColumns(readAtMs), [readAtMs]);
  return (
    <Card isFlush title={words.title} meta={count > 1 && words.live(count)}>
      <ErrorBoundary isFlush error={error} onRetry={onRetry}>
        {connections === undefined ? (
          <p className="px-4.5 py-3.5 text-body text-ink3">{words.loading}</p>
        ) : (
          <DataTable
            isFlush
            label={words.title}
            columns={columns}
            rows={connections}
            rowKey={({ connectionId }) => connectionId}
            empty={<p className="px-4.5 py-3.5 text-body text-ink3">{words.empty}</p>}
          />
        )}
      </ErrorBoundary>
    </Card>
  );
}

function liveConnectionColumns(readAtMs: number): readonly DataColumn<LiveConnection>[] {
  return [
    {
      id: 'connectedAt',
      header: words.connectedAt,
      value: ({ connectedAt }) => new Date(connectedAt),
      cell: ({ connectedAt }) => <RelativeTime at={connectedAt} className="text-ink" />,
      onPhone: 'title',
    },
    {
      id: 'connectedFor',
      header: words.connectedFor,
      value: ({ connectedForSecs }) => connectedForSecs,
      cell: ({ connectedForSecs }) => <Duration seconds={connectedForSecs} measuredAt={readAtMs} />,
    },
    {
      id: 'id',
      header: words.id,
      value: ({ connectionId }) => connectionId,
      cell: ({ connectionId }) => <IdTag value={connectionId} what={terms.ids.connection} length={12} />,
    },
    {
      id: 'node',
      header: words.node,
      value: ({ nodeId }) => nodeId,
      cell: ({ nodeId }) => <ClusterNode nodeId={nodeId} />,
    },
  ];
}

/** The name of a node; its id where it has no known name. The id stays when the name becomes known, because it may have the focus. */
function ClusterNode({ nodeId }: { nodeId: string }) {
  const { data, isPending } = useQuery(clusterQuery());
  const name = data?.nodes.find((node) => node.nodeId === nodeId)?.name;
  const [hasId, setHasId] = useState(false);
  if (!hasId && !isPending && name === undefined) setHasId(true);
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      {name}
      {hasId && <IdTag value={nodeId} what={terms.ids.node} length={16} />}
    </span>
  );
}
