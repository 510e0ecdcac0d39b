import { ArrowRight } from 'lucide-react';
import type { Id } from '@corral/contract';
import { terms } from '../../copy/terms.ts';
import { devicesCopy } from './copy.ts';
import { uiCopy } from '../../ui/copy.ts';
import { DeviceBadge } from '../../ui/badge/DeviceBadge.tsx';
import { PendingCountBadge } from '../../ui/badge/PendingCountBadge.tsx';
import type { DataColumn } from '../../ui/table/data-table.ts';
import { IdTag } from '../../ui/text/IdTag.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { DeviceLink } from './DeviceLink.tsx';
import { optionalColumns } from './device-view.ts';
import { LabelLinks } from './labels/LabelLinks.tsx';
import { deviceLabel, hasName, type ListedDevice } from '../../parts/listed-device.ts';

const words = devicesCopy.columns;
const byDefault = optionalColumns;

/** The columns by which the list is filtered and sorted. */
export const deviceDataColumns = (): readonly DataColumn<ListedDevice>[] => [
  {
    id: 'name',
    header: words.name,
    isFilling: true,
    value: ({ name }) => (hasName(name) ? name : undefined),
    csvText: ({ name }) => (hasName(name) ? name : terms.unnamed),
    filterText: ({ name, hostname }) => `${hasName(name) ? name : terms.unnamed} ${hostname ?? ''}`,
    cell: (device) => <DeviceName device={device} />,
    onPhone: 'title',
  },
  {
    id: 'hostname',
    header: words.hostname,
    byDefault: byDefault.hostname,
    width: '10rem',
    value: ({ hostname }) => hostname,
    // The hub has no order by it.
    isSortable: false,
    cell: ({ hostname }) => hostname !== undefined && <span className="wrap-anywhere">{hostname}</span>,
  },
  {
    id: 'id',
    header: words.id,
    byDefault: byDefault.id,
    width: '8rem',
    tightWidth: '5.25rem',
    value: ({ deviceId }) => deviceId,
    cell: ({ deviceId }) => <IdTag isPlain value={deviceId} what={terms.ids.device} length={10} />,
    // Short enough to fit on one line with the age and the badges.
    phoneCell: ({ deviceId }) => <IdTag value={deviceId} what={terms.ids.device} length={7} />,
    onPhone: 'meta',
  },
  {
    id: 'firstSeen',
    header: words.firstSeen,
    byDefault: byDefault.firstSeen,
    width: '6.75rem',
    tightWidth: '5.75rem',
    value: ({ firstSeen }) => new Date(firstSeen),
    cell: ({ firstSeen }) => <RelativeTime at={firstSeen} />,
    phoneCell: ({ firstSeen }) => (
      <>
        {words.firstSeen} <RelativeTime at={firstSeen} />
      </>
    ),
    onPhone: 'meta',
  },
  {
    id: 'lastSeen',
    header: words.lastSeen,
    byDefault: byDefault.lastSeen,
    width: '6.75rem',
    isExtra: true,
    value: ({ lastSeenAt }) => (lastSeenAt === undefined ? undefined : new Date(lastSeenAt)),
    cell: (device) => <LastSeen device={device} />,
    phoneCell: (device) => (
      <>
        {words.lastSeen} <LastSeen device={device} />
      </>
    ),
    onPhone: 'meta',
    isOnEveryCard: true,
  },
  {
    id: 'status',
    header: words.status,
    byDefault: byDefault.status,
    width: '7.75rem',
    tightWidth: '7.25rem',
    value: ({ isConnected }) => (isConnected ? uiCopy.device.connected : uiCopy.device.disconnected),
    cell: ({ isConnected }) => <DeviceBadge isConnected={isConnected} />,
    onPhone: 'badge',
  },
  {
    id: 'pending',
    header: words.pending,
    byDefault: byDefault.pending,
    width: '9.5rem',
    tightWidth: '6.25rem',
    value: ({ pendingCertificatesCount }) => pendingCertificatesCount,
    cell: ({ pendingCertificatesCount: count }) => <PendingCountBadge count={count} />,
    phoneCell: ({ pendingCertificatesCount: count }) =>
      count > 0 && <PendingCountBadge count={count} word={devicesCopy.pendingWord} />,
    onPhone: 'badge',
  },
];

/** The labels of a device as one text. */
const labelText = ({ labels = [] }: ListedDevice): string =>
  labels.map(({ name, value }) => `${name}: ${value}`).join(', ');

/** The columns of the list. */
export function deviceColumns(projectId: Id<'project'>): DataColumn<ListedDevice>[] {
  const labels: DataColumn<ListedDevice> = {
    id: 'labels',
    header: words.labels,
    byDefault: byDefault.labels,
    width: '19.5rem',
    tightWidth: '18rem',
    value: labelText,
    // The hub has no order by it.
    isSortable: false,
    // Names take what the others leave, which are as narrow as they can be.
    cell: ({ labels: own = [] }) => (
      <div className="min-w-66">
        <LabelLinks {...{ projectId }} labels={own} />
      </div>
    ),
    phoneCell: ({ labels: own = [] }) => <LabelLinks {...{ projectId }} labels={own} />,
    onPhone: 'labelled',
  };
  const actions: DataColumn<ListedDevice> = {
    id: 'actions',
    header: words.actions,
    width: '5.75rem',
    tightWidth: '5rem',
    align: 'end',
    onPhone: 'menu',
    cell: (device) => (
      <DeviceLink projectId={projectId} deviceId={device.deviceId}>
        <span>
          {devicesCopy.view}
          <span className="sr-only"> {deviceLabel(device)}</span>
        </span>
        <ArrowRight size={14} aria-hidden className="rtl:-scale-x-100" />
      </DeviceLink>
    ),
  };
  return [...deviceDataColumns(), labels, actions];
}

function LastSeen({ device: { isConnected, lastSeenAt } }: { device: ListedDevice }) {
  if (isConnected) return <span className="text-ink2">{devicesCopy.seenNow}</span>;
  if (lastSeenAt === undefined) return <span className="text-ink3">{terms.never}</span>;
  return <RelativeTime at={lastSeenAt} />;
}

/** A hostname is no name, so it is beside the word, or whole below it. */
function DeviceName({ device }: { device: ListedDevice }) {
  const { name, hostname } = device;
  if (hasName(name)) return <span className="font-head wrap-anywhere text-ink">{name}</span>;
  return (
    <span className="font-head wrap-anywhere text-ink3">
      <span className="me-1">{terms.unnamed}</span>{' '}
      {hasName(hostname) && <span className="inline-block max-w-full text-ink2">{hostname}</span>}
    </span>
  );
}
