import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type ReactNode, useEffect, useEffectEvent, useMemo } from 'react';
import { deviceCopy } from './copy.ts';
import { projectDevicesQuery } from '../../../data/queries-projects.ts';
import { buttonClass } from '../../../ui/action/button-class.ts';
import { filterRows } from '../../../ui/table/filter-rows.ts';
import { useSortedRows } from '../../../ui/table/use-sorted-rows.ts';
import { usePageAction } from '../../../parts/page-actions.ts';
import { deviceDataColumns } from '../device-columns.tsx';
import { type DevicesSearch, sortOf, viewOf } from '../device-view.ts';
import { isLongList, useDeviceCounts, useListedDevices } from '../use-listed-devices.ts';
import { deviceLabel, type ListedDevice } from '../../../parts/listed-device.ts';

const neighbourClass = buttonClass('secondary', 'medium', true);
const none: readonly ListedDevice[] = [];

/** Links to the previous and the next device, in the filter and order of the list that the page was opened from, which is read on at its end. */
export function DeviceNeighbours({
  projectId,
  deviceId,
  search,
}: {
  projectId: Id<'project'>;
  deviceId: Id<'device'>;
  search: DevicesSearch;
}) {
  const first = useQuery(projectDevicesQuery(projectId)).data?.devices ?? none;
  const {
    rows = none,
    isServerSide,
    more,
  } = useListedDevices(projectId, { first, isLong: isLongList(first) }, search);
  const columns = useMemo(() => deviceDataColumns(), []);
  const listed = useMemo(
    () => filterRows(rows, columns, isServerSide ? '' : (search.q ?? '')),
    [rows, isServerSide, search, columns],
  );
  const devices = useSortedRows(listed, columns, isServerSide ? undefined : sortOf(search.sort));
  const { views } = useDeviceCounts(projectId, first);
  const position = devices.findIndex((device) => device.deviceId === deviceId);
  const hasUnread = more?.load !== undefined;
  const isNextUnread = hasUnread && position >= 0 && position === devices.length - 1;
  const readOn = useEffectEvent(() => more?.load?.());
  useEffect(() => {
    if (isNextUnread) readOn();
  }, [isNextUnread, devices.length]);
  if (position < 0 || devices.length < 2) return null;
  return (
    <nav aria-label={deviceCopy.neighbours} className="flex items-center gap-1.5">
      <span className="tabular me-1 text-body text-ink3">{placeOf(position + 1, devices.length)}</span>
      <Neighbour {...{ projectId, search }} device={devices[position - 1]} isNext={false} />
      <Neighbour {...{ projectId, search }} device={devices[position + 1]} isNext isUnread={isNextUnread} />
    </nav>
  );

  function placeOf(place: number, read: number): string {
    if (!hasUnread) return deviceCopy.place(place, read);
    // The hub counts the devices of a view, but not those that match a text.
    const total = (search.q ?? '').trim() === '' ? (views[viewOf(search)] ?? 0) : 0;
    return total > read ? deviceCopy.place(place, total) : deviceCopy.placeOfMore(place, read);
  }
}

function Neighbour({
  projectId,
  device,
  search,
  isNext,
  isUnread = false,
}: {
  projectId: Id<'project'>;
  device: ListedDevice | undefined;
  search: DevicesSearch;
  isNext: boolean;
  /** Whether there is a device that was not read yet. */
  isUnread?: boolean;
}) {
  const Icon = isNext ? ChevronRight : ChevronLeft;
  const icon = <Icon size={17} aria-hidden />;
  const missing = isUnread ? deviceCopy.nextUnread : isNext ? deviceCopy.noNext : deviceCopy.noPrevious;
  if (device === undefined) {
    return (
      <span role="link" aria-disabled="true" className={neighbourClass} aria-label={missing}>
        {icon}
      </span>
    );
  }
  return <NeighbourLink {...{ projectId, device, search, isNext }}>{icon}</NeighbourLink>;
}

function NeighbourLink({
  projectId,
  device,
  search,
  isNext,
  children,
}: {
  projectId: Id<'project'>;
  device: ListedDevice;
  search: DevicesSearch;
  isNext: boolean;
  children: ReactNode;
}) {
  const label = (isNext ? deviceCopy.next : deviceCopy.previous)(deviceLabel(device));
  const element = usePageAction<HTMLAnchorElement>(label);
  return (
    <Link
      ref={element}
      to="/projects/$projectId/devices/$deviceId"
      params={{ projectId, deviceId: device.deviceId }}
      search={search}
      aria-label={label}
      title={label}
      className={neighbourClass}
    >
      {children}
    </Link>
  );
}
