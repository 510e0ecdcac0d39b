import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { terms } from '../../../copy/terms.ts';
import { deviceCopy } from './copy.ts';
import { clusterQuery } from '../../../data/queries-account.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { Properties } from '../../../ui/layout/Properties.tsx';
import { IdTag } from '../../../ui/text/IdTag.tsx';
import { Duration } from '../../../ui/time/Duration.tsx';
import { RelativeTime } from '../../../ui/time/RelativeTime.tsx';
import { ErrorBoundary } from '../../../parts/ErrorBoundary.tsx';
import type { DeviceDetails, DeviceCardProps } from './device-details.ts';

const words = deviceCopy.connections;

/** The live connections of a device, and the cluster node of each. */
export function ConnectionsCard({ details, readAtMs, error, onRetry }: DeviceCardProps) {
  const connections = details?.connections ?? [];
  return (
    <Card isFlush title={words.title} meta={connections.length > 1 && words.live(connections.length)}>
      <ErrorBoundary isFlush error={error} onRetry={onRetry}>
        {connections.length === 0 ? (
          <p className="px-4.5 py-3.5 text-body text-ink3">
            {details === undefined ? words.loading : words.empty}
          </p>
        ) : (
          <ul className="divide-y-4 divide-double divide-line">
            {connections.map((connection) => (
              <li key={connection.connectionId}>
                <Connection connection={connection} readAtMs={readAtMs} />
              </li>
            ))}
          </ul>
        )}
      </ErrorBoundary>
    </Card>
  );
}

function Connection({
  connection: { connectionId, connectedAt, connectedForSecs, nodeId },
  readAtMs,
}: {
  connection: DeviceDetails['connections'][number];
  readAtMs: number;
}) {
  return (
    <Properties
      items={[
        { name: words.connectedAt, value: <RelativeTime at={connectedAt} className="text-ink" /> },
        {
          name: words.connectedFor,
          value: <Duration seconds={connectedForSecs} measuredAt={readAtMs} />,
        },
        { name: words.id, value: <IdTag value={connectionId} what={terms.ids.connection} length={16} /> },
        { name: words.node, value: <ClusterNode nodeId={nodeId} /> },
      ]}
    />
  );
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
