import type { ListedDevice } from '../../parts/listed-device.ts';
import { formatSort, parseSort, type TableSort } from '../../ui/table/data-table.ts';
import { searchChoice, searchText, asSearch } from '../../parts/search-values.ts';

const statuses = ['connected', 'disconnected'] as const;
const sortable = ['name', 'id', 'firstSeen', 'status', 'pending'];

/** The search parameters of the list: filter text, status or pending certificates, and sort order. */
export type DevicesSearch = {
  q?: string;
  status?: (typeof statuses)[number];
  certs?: 'pending';
  sort?: string;
};

/** The filter of the list by device state. */
export type DeviceView = 'all' | 'connected' | 'disconnected' | 'pending';

/** Parses the search parameters of the list; invalid values are dropped. */
export function parseDevicesSearch(search: Record<string, unknown>): DevicesSearch {
  const certs = searchChoice(search['certs'], ['pending']);
  return asSearch({
    q: searchText(search['q']),
    status: certs === undefined ? searchChoice(search['status'], statuses) : undefined,
    certs,
    sort: formatSort(sortOf(searchText(search['sort']))),
  });
}

/** The sort order of the list; undefined keeps the hub's order, newest first. */
export function sortOf(text: string | undefined): TableSort | undefined {
  const sort = parseSort(text);
  return sort !== undefined && sortable.includes(sort.id) ? sort : undefined;
}

/** The view in the search parameters. */
export function viewOf({ status, certs }: DevicesSearch): DeviceView {
  return certs ?? status ?? 'all';
}

/** The search parameters of a view. */
export function searchOfView(view: DeviceView): Pick<DevicesSearch, 'status' | 'certs'> {
  if (view === 'all') return {};
  return view === 'pending' ? { certs: 'pending' } : { status: view };
}

/** Whether a view includes a device. */
export function isInView(device: ListedDevice, view: DeviceView): boolean {
  if (view === 'pending') return device.pendingCertificatesCount > 0;
  return view === 'all' || device.isConnected === (view === 'connected');
}
