import { deviceFields, type Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { projectDevicesQuery, projectQuery } from '../../data/queries-projects.ts';
import type { ListedDevice } from '../../parts/listed-device.ts';
import { hasConditions } from '../../parts/has-conditions.ts';
import { failureOf, moreLiveRows } from '../../parts/more-live-rows.ts';
import { rowsPerPage } from '../../parts/list-limits.ts';
import type { RowsInView } from '../../parts/row-source.ts';
import { useAskedFilter } from '../../parts/use-asked-filter.ts';
import { useBufferedRows } from '../../parts/use-buffered-rows.ts';
import { type LivePages, useLivePages } from '../../parts/use-live-pages.ts';
import { messageOf } from '../../ui/form/message-of.ts';
import type { FilterMistake } from '../../ui/table/MistakeInFilter.tsx';
import { type DevicesSearch, type DeviceView, isInView, viewOf } from './device-view.ts';
import { deviceListQueryOf, mistakeFromHub } from './device-list-query.ts';
import { deviceCountQuery } from './queries.ts';

/** The numbers of devices in each view, as far as they are known. */
export type ViewCounts = Readonly<Record<DeviceView, number | undefined>>;

/** The devices of a view of the list. */
export interface ListedDevices extends RowsInView<ListedDevice> {
  readonly isServerSide: boolean;
  /** How many new devices wait, so that nothing moves while the user reads. */
  readonly waiting: number;
  /** Shows the devices that wait. */
  readonly show: () => void;
  /** What is wrong with the filter, found here or by the hub. */
  readonly mistake: FilterMistake | undefined;
  /** How many devices the filter finds, as far as they were read; undefined without a filter, and until the hub has answered. */
  readonly matches: Matches | undefined;
  /** Why the devices that show could not be read again, or the next ones not at all. */
  readonly alert: string | undefined;
}

/** What a filter finds: so many devices, and more unless these are all. */
export interface Matches {
  readonly filter: string;
  readonly count: number;
  readonly isAll: boolean;
}

/** The devices that every page of the project has read. */
interface FirstDevices {
  readonly first: readonly ListedDevice[];
  /** Whether there may be more. */
  readonly isLong: boolean;
}

/**
 * The devices of a view. A short list is filtered here, unless the filter has conditions; otherwise the hub returns the first page of the
 * view, and more on request. While `isReading`, new devices wait. While the filter has a mistake, the last devices stay; a page that is opened with a filter has none before the hub's answer.
 */
export function useListedDevices(
  projectId: Id<'project'>,
  { first, isLong }: FirstDevices,
  search: DevicesSearch,
  isReading = false,
): ListedDevices {
  const { asked, mistake } = useAskedSearch(search, isLong);
  const isByHub = isLong || hasConditions(asked.q ?? '', deviceFields);
  const asks = deviceListQueryOf(asked);
  const [isOpenedFiltered] = useState(isByHub && asks.filter !== undefined);
  const pages = useLivePages({
    queryOf: (after) =>
      projectDevicesQuery(projectId, { ...asks, ...(after === undefined ? {} : { after }) }),
    rowsOf: ({ devices }) => devices,
    keyOf,
    isEnabled: isByHub,
  });
  const view = viewOf(search);
  const { read, found, ...buffer } = useBufferedDevices(isByHub ? pages : undefined, first, isReading);
  const inView = useMemo(() => read.filter((device) => isInView(device, view)), [read, view]);
  const lastFound = useLastFound(pages.isPlaceholder ? undefined : found, view);
  if (!isByHub)
    return {
      ...buffer,
      rows: inView,
      isServerSide: mistake !== undefined,
      mistake,
      matches: undefined,
      alert: undefined,
    };
  const refused = mistake ?? mistakeFromHub(asked, pages.error);
  const isKept = found === undefined || (refused !== undefined && found.length === 0);
  const kept = lastFound ?? (isOpenedFiltered && refused === undefined ? undefined : inView);
  const { readAllRows } = pages;
  const byHub = { isServerSide: true, ...buffer, mistake: refused, readAllRows };
  const failure = refused === undefined ? failureOf(pages) : undefined;
  if (failure !== undefined)
    return { ...byHub, rows: undefined, failure, matches: undefined, alert: undefined };
  const rows = isKept ? kept : found;
  return {
    ...byHub,
    rows,
    matches: isKept || pages.isPlaceholder ? undefined : matchesOf(asks.filter, pages, found),
    alert: pages.error === null || refused !== undefined ? undefined : messageOf(pages.error),
    // A failure is shown above, since a short list has no such end.
    ...(isLong && rows !== undefined && rows.length > 0
      ? { more: { ...moreLiveRows(pages, rows.length), failure: undefined } }
      : {}),
  };
}

/** The devices that were read here and by the hub (`found`), without those that wait. */
function useBufferedDevices(
  pages: LivePages<ListedDevice> | undefined,
  first: readonly ListedDevice[],
  isReading: boolean,
) {
  const { shown, waiting, show } = useBufferedRows(
    pages === undefined ? first : (pages.rows ?? none),
    keyOf,
    {
      isReading,
      scope: pages?.view ?? '',
      isInOrder: pages !== undefined,
    },
  );
  const onPagesInSight = pages?.onRowsInSight;
  // The pages count the devices that wait.
  const onRowsInSight = useCallback(
    (from: number, to: number) => onPagesInSight?.(from, to + waiting),
    [onPagesInSight, waiting],
  );
  const found = pages?.rows && shown;
  return { read: pages === undefined ? shown : first, found, waiting, show, onRowsInSight };
}

const none: readonly ListedDevice[] = [];

function keyOf({ deviceId }: ListedDevice): string {
  return deviceId;
}

function matchesOf(
  filter: string | undefined,
  { loadMore }: { readonly loadMore: unknown },
  found: readonly ListedDevice[],
): Matches | undefined {
  if (filter === undefined || found.length === 0) return undefined;
  return { filter, count: found.length, isAll: loadMore === undefined };
}

/** The search whose devices are shown: while the filter has a mistake, with the last filter that had none. */
function useAskedSearch(search: DevicesSearch, isLong: boolean) {
  const { q = '' } = search;
  // A short list is searched for words as they are typed, which cannot be wrong.
  const isParsed = isLong || hasConditions(q, deviceFields);
  const { asked, mistake } = useAskedFilter(
    q,
    isParsed ? deviceFields : undefined,
    (text) => deviceListQueryOf({ ...search, q: text }).filter ?? '',
  );
  return { asked: mistake === undefined ? search : { ...search, q: asked }, mistake };
}

/** The last devices that the hub has returned for the view; undefined before the first answer. */
function useLastFound(
  found: readonly ListedDevice[] | undefined,
  view: DeviceView,
): readonly ListedDevice[] | undefined {
  const [last, setLast] = useState({ view, found });
  if (found !== undefined && found.length > 0 && found !== last.found) setLast({ view, found });
  return last.view === view ? last.found : undefined;
}

/** Whether these are only the first devices of a project. */
export function isLongList(devices: readonly ListedDevice[]): boolean {
  return devices.length >= rowsPerPage;
}

/** The numbers of all and of connected devices and of pending certificates: counted here, for a long list by the hub. */
export function useDeviceCounts(projectId: Id<'project'>, first: readonly ListedDevice[]) {
  const isLong = isLongList(first);
  const { data } = useQuery({ ...projectQuery(projectId), enabled: isLong });
  const { data: pending } = useQuery({ ...deviceCountQuery(projectId, 'cert:pending'), enabled: isLong });
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
      // The project knows the number of certificates, of which a device may have several.
      pending: pending?.count,
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
