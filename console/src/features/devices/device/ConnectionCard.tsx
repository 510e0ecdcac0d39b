import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { deviceCopy } from './copy.ts';
import { ErrorBoundary } from '../../../parts/ErrorBoundary.tsx';
import { FilterChips } from '../../../ui/form/FilterChips.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { ConnectionDays } from '../../../ui/picture/ConnectionDays.tsx';
import { ConnectionStrip } from '../../../ui/picture/ConnectionStrip.tsx';
import { formatShare, type Gap, knownShare } from '../../../ui/picture/connection-shares.ts';
import { useNow } from '../../../ui/time/use-now.ts';
import { deviceConnectionsQuery, hubGapsQuery } from '../queries.ts';
import { connectionWindow, intervalsOf } from './connection-window.ts';
import type { DeviceCardProps } from './device-details.ts';

const words = deviceCopy.strip;
const days = 30;
const dayMs = 86_400_000;
/** The hub keeps the newest 50: with more, nothing is known of the time before. */
const keptConnections = 50;

/** How far back the strip reaches; a day without it. */
export type StripSpan = '30d' | undefined;

interface ConnectionCardProps extends DeviceCardProps {
  readonly firstSeen: string | undefined;
  readonly span: StripSpan;
  readonly onSpanChange: (span: StripSpan) => void;
  /** Shows what happened up to a time. */
  readonly onOpenTime: (untilMs: number) => void;
}

/** When the device was connected in the last 24 hours, or on the last 30 days. Renders nothing when the hub does not provide it. */
export function ConnectionCard(props: ConnectionCardProps) {
  const { details, readAtMs, firstSeen, span } = props;
  // The minute clock may be older than the newest connection.
  const nowMs = Math.max(useNow('minute'), readAtMs);
  const firstSeenMs = firstSeen === undefined ? undefined : Date.parse(firstSeen);
  const recent = details?.recentConnections;
  const unknown = useHubGaps(props.projectId, span);
  if (details !== undefined && recent === undefined) return null;
  if (span === '30d') return <DaysCard {...props} {...{ nowMs, firstSeenMs, unknown }} />;
  const { hours, intervals, percent } = connectionWindow(recent ?? [], nowMs, firstSeenMs, unknown);
  return (
    <StripCard
      {...props}
      percent={details && percent}
      of={hours < 24 ? words.young : words.day}
      picture={
        details === undefined ? (
          <div className="h-14.5" />
        ) : (
          <ConnectionStrip {...{ intervals, nowMs, hours, unknown }} onOpen={props.onOpenTime} />
        )
      }
    />
  );
}

function DaysCard({
  nowMs,
  firstSeenMs,
  unknown: gaps,
  ...props
}: ConnectionCardProps & { nowMs: number; firstSeenMs: number | undefined; unknown: readonly Gap[] }) {
  const { data } = useQuery(deviceConnectionsQuery(props.deviceId, 2 * keptConnections));
  const intervals = intervalsOf(data?.connections ?? []);
  const startMs = nowMs - days * dayMs;
  const knownFromMs = Math.max(startMs, firstSeenMs ?? startMs);
  const oldestMs = Math.min(...intervals.map(({ fromMs }) => fromMs));
  const isCut = intervals.length >= keptConnections && oldestMs > knownFromMs;
  const unknown = isCut ? [{ fromMs: knownFromMs, toMs: oldestMs }, ...gaps] : gaps;
  return (
    <StripCard
      {...props}
      percent={data && formatShare(knownShare(intervals, unknown, knownFromMs, nowMs))}
      of={isCut ? words.kept : knownFromMs > startMs ? words.young : words.month}
      picture={
        data === undefined ? (
          <div className="h-31" />
        ) : (
          <ConnectionDays
            {...{ intervals, unknown, nowMs, days }}
            knownFromMs={firstSeenMs}
            onOpen={props.onOpenTime}
          />
        )
      }
    />
  );
}

/** When no hub was there to see whether devices are connected. */
function useHubGaps(projectId: Id<'project'>, span: StripSpan): readonly Gap[] {
  const { data } = useQuery(hubGapsQuery(projectId, span === '30d' ? 'Month' : 'Day'));
  return useMemo(
    () => (data?.gaps ?? []).map(({ from, to }) => ({ fromMs: Date.parse(from), toMs: Date.parse(to) })),
    [data],
  );
}

function StripCard({
  percent,
  of,
  picture,
  span,
  onSpanChange,
}: Pick<ConnectionCardProps, 'span' | 'onSpanChange'> & {
  percent: string | undefined;
  of: string;
  picture: ReactNode;
}) {
  return (
    <Card
      title={words.title}
      meta={
        percent !== undefined && (
          <span className="tabular">
            {words.connected} <strong className="font-head text-ink">{percent} %</strong> <span>{of}</span>
          </span>
        )
      }
      actions={
        <FilterChips
          label={words.span}
          value={span ?? '24h'}
          onValueChange={(next) => onSpanChange(next === '30d' ? '30d' : undefined)}
          chips={[
            { value: '24h' as const, label: words.hours24 },
            { value: '30d' as const, label: words.days30 },
          ]}
        />
      }
    >
      <ErrorBoundary>{picture}</ErrorBoundary>
    </Card>
  );
}
