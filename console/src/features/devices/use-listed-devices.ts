import type { Id } from '@corral/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { projectDevicesQuery, projectQuery } from '../../data/queries-projects.ts';
import type { ListedDevice } from '../../parts/listed-device.ts';
import { moreRows, rowsPerPage } from '../../parts/paged-rows.ts';
import type { RowsInView } from '../../parts/row-source.ts';
import { messageOf } from '../../ui/form/message-of.ts';
import { type DevicesSearch, type DeviceView, isInView, viewOf } from './device-view.ts';
import { hasConditions, deviceListQueryOf } from './device-list-query.ts';

/** The numbers of devices in each view, as far as they are known. */
export type ViewCounts = Readonly<Record<DeviceView, number | undefined>>;

/** The devices of a view of the list. */
export interface ListedDevices extends RowsInView<ListedDevice> {
  readonly rows: readonly ListedDevice[];
  readonly isServerSide: boolean;
  /** Why the hub refused the filter. */
  readonly failure: string | undefined;
}

/** The devices that every page of the project has read. */
interface FirstDevices {
  readonly first: readonly ListedDevice[];
  /** Whether there may be more. */
  readonly isLong: boolean;
}

/**
 * The devices of a view: of a short list selected here, unless the filter has conditions; of a long one the hub is asked for the first
 * page of the view, and for more on request.
 */
export function useListedDevices(
  projectId: Id<'project'>,
  { first, isLong }: FirstDevices,
  search: DevicesSearch,
): ListedDevices {
  const [requestedRows, setRequestedRows] = useState(rowsPerPage);
  const isByHub = isLong || hasConditions(search.q ?? '');
  const { data, error, isPlaceholderData } = useQuery({
    ...projectDevicesQuery(projectId, { ...deviceListQueryOf(search), limit: requestedRows }),
    placeholderData: keepPreviousData,
    enabled: isByHub,
  });
  const view = viewOf(search);
  const inView = useMemo(() => first.filter((device) => isInView(device, view)), [first, view]);
  if (!isByHub) return { rows: inView, isServerSide: false, failure: undefined };
  const rows = data?.devices ?? [];
  const failure = error === null ? undefined : messageOf(error);
  const more = moreRows({
    shown: rows.length,
    limit: requestedRows,
    isLoading: isPlaceholderData,
    // The field of the filter shows it.
    failure: undefined,
    onRequest: setRequestedRows,
  });
  return { rows, isServerSide: true, failure, ...(isLong && rows.length > 0 ? { more } : {}) };
}

/** Whether these are only the first devices of a project. */
export function isLongList(devices: readonly ListedDevice[]): boolean {
  return devices.length >= rowsPerPage;
}

/** How many devices there are, are connected, and how many certificates are pending: counted here, for a long list by the hub. */
export function useDeviceCounts(projectId: Id<'project'>, first: readonly ListedDevice[]) {
  const isLong = isLongList(first);
  const { data } = useQuery({ ...projectQuery(projectId), enabled: isLong });
  const counted = useMemo(() => countsOf(first), [first]);
  if (!isLong) return counted;
  const { deviceCount = first.length, connectedDeviceCount, pendingCertificateCount } = data ?? {};
  return {
    total: deviceCount,
    connected: connectedDeviceCount ?? 0,
    waiting: pendingCertificateCount ?? 0,
    views: {
      all: deviceCount,
      connected: connectedDeviceCount,
      disconnected: connectedDeviceCount === undefined ? undefined : deviceCount - connectedDeviceCount,
      // The hub counts certificates, of which a device may have several.
      pending: undefined,
    } satisfies ViewCounts,
  };
}

function countsOf(devices: readonly ListedDevice[]) {
  const inView = (view: DeviceView) => devices.filter((device) => isInView(device, view)).length;
  const views: ViewCounts = {
    all: devices.length,
    connected: inView('connected'),
    disconnected: inView('disconnected'),
    pending: inView('pending'),
  };
  const waiting = devices.reduce((sum, { pendingCertificatesCount }) => sum + pendingCertificatesCount, 0);
  return { total: devices.length, connected: views.connected ?? 0, waiting, views };
}
