import { deviceCopy } from './copy.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { ConnectionStrip } from '../../../ui/picture/ConnectionStrip.tsx';
import { useNow } from '../../../ui/time/use-now.ts';
import { ErrorBoundary } from '../../../parts/ErrorBoundary.tsx';
import { connectionWindow } from './connection-window.ts';
import type { DeviceCardProps } from './device-details.ts';

const words = deviceCopy.strip;

/** The connection timeline of the last 24 hours. Renders nothing when the hub does not provide it. */
export function ConnectionCard({
  details,
  readAtMs,
  firstSeen,
}: DeviceCardProps & { firstSeen: string | undefined }) {
  // The minute clock may be older than the newest connection.
  const nowMs = Math.max(useNow('minute'), readAtMs);
  const recent = details?.recentConnections;
  if (details !== undefined && recent === undefined) return null;
  const { hours, intervals, percent } = connectionWindow(
    recent ?? [],
    nowMs,
    firstSeen === undefined ? undefined : Date.parse(firstSeen),
  );
  return (
    <Card
      title={words.title}
      meta={details !== undefined && (hours < 24 ? words.young : words.day)}
      actions={
        details !== undefined && (
          <span className="tabular text-body text-ink3">
            {words.connected} <strong className="font-head text-ink">{percent} %</strong>
          </span>
        )
      }
    >
      <ErrorBoundary>
        {details === undefined ? (
          <div className="h-14.5" />
        ) : (
          <ConnectionStrip intervals={intervals} nowMs={nowMs} hours={hours} />
        )}
      </ErrorBoundary>
    </Card>
  );
}
