import type { Output } from '@corral/contract';
import { CircleQuestionMark, Power, ServerCrash, Unplug } from 'lucide-react';
import { terms } from '../../../copy/terms.ts';
import { deviceCopy } from './copy.ts';
import { Badge, type BadgeTone } from '../../../ui/badge/Badge.tsx';
import { DeviceBadge } from '../../../ui/badge/DeviceBadge.tsx';
import type { DataColumn } from '../../../ui/table/data-table.ts';
import { IdTag } from '../../../ui/text/IdTag.tsx';
import { Duration } from '../../../ui/time/Duration.tsx';
import { RelativeTime } from '../../../ui/time/RelativeTime.tsx';

/** A past or live connection. */
export type PastConnection = Output<'devices_QueryConnections'>['connections'][number];

const words = deviceCopy.history;

const endReasonStyles: Record<
  NonNullable<PastConnection['endReason']>,
  { tone: BadgeTone; Icon: typeof Unplug }
> = {
  Disconnected: { tone: 'mute', Icon: Unplug },
  ServerShutdown: { tone: 'mute', Icon: Power },
  NodeCrashed: { tone: 'warn', Icon: ServerCrash },
  Unknown: { tone: 'outline', Icon: CircleQuestionMark },
};

/** The columns of the connections of a device, as they were read at `readAtMs`, in milliseconds since the epoch. */
export function connectionColumns(readAtMs: number): readonly DataColumn<PastConnection>[] {
  return [
    {
      id: 'connectedAt',
      header: words.connectedAt,
      value: ({ connectedAt }) => new Date(connectedAt),
      cell: ({ connectedAt }) => <RelativeTime at={connectedAt} className="text-ink" />,
      onPhone: 'title',
    },
    {
      id: 'lasted',
      header: words.lasted,
      value: ({ durationSecs }) => durationSecs,
      cell: ({ durationSecs, endedAt }) => (
        <Duration seconds={durationSecs} measuredAt={endedAt === undefined ? readAtMs : undefined} />
      ),
    },
    {
      id: 'ended',
      header: words.ended,
      value: ({ endedAt }) => (endedAt === undefined ? undefined : new Date(endedAt)),
      cell: ({ endedAt }) => endedAt !== undefined && <RelativeTime at={endedAt} />,
      onPhone: 'hidden',
    },
    {
      id: 'end',
      header: words.end,
      value: ({ endReason }) => (endReason === undefined ? undefined : words.reasons[endReason]),
      cell: (connection) => <EndReason {...connection} />,
      onPhone: 'badge',
    },
    {
      id: 'id',
      header: words.id,
      value: ({ connectionId }) => connectionId,
      cell: ({ connectionId }) => <IdTag value={connectionId} what={terms.ids.connection} length={12} />,
      onPhone: 'meta',
    },
  ];
}

function EndReason({ endedAt, endReason = 'Unknown' }: PastConnection) {
  if (endedAt === undefined) return <DeviceBadge isConnected />;
  const { tone, Icon } = endReasonStyles[endReason];
  return (
    <Badge tone={tone} icon={<Icon size={13} aria-hidden />}>
      {words.reasons[endReason]}
    </Badge>
  );
}
