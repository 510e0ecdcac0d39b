import type { ListedDevice } from '../../parts/listed-device.ts';
import { formatSort, parseSort, type TableSort } from '../../ui/table/data-table.ts';
import {
  type ColumnChoice,
  type ColumnDefaults,
  formatColumns,
  parseColumns,
} from '../../ui/table/column-choice.ts';
import { omitUndefined, searchChoice, searchText, asSearch } from '../../parts/search-values.ts';

const statuses = ['connected', 'disconnected'] as const;
const sortable = ['name', 'id', 'firstSeen', 'lastSeen', 'status', 'pending'];

/** The columns that people may hide, in the order of the table. */
export const optionalColumns = {
  hostname: 'hidden',
  id: 'shown',
  firstSeen: 'shown',
  lastSeen: 'shown',
  status: 'shown',
  pending: 'shown',
  labels: 'hidden',
} as const satisfies ColumnDefaults;

/** The search parameters of the list: filter text, status or pending certificates, sort order, and the columns that are shown instead of the default ones. */
export type DevicesSearch = {
  q?: string;
  status?: (typeof statuses)[number];
  certs?: 'pending';
  sort?: string;
  columns?: string;
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
    columns: formatColumns(columnsOf(searchText(search['columns']))),
  });
}

/** The sort order of the list; undefined keeps the hub's order, newest first. */
export function sortOf(text: string | undefined): TableSort | undefined {
  const sort = parseSort(text);
  return sort !== undefined && sortable.includes(sort.id) ? sort : undefined;
}

/** The chosen columns of the list; undefined for the default ones. */
export function columnsOf(text: string | undefined): ColumnChoice | undefined {
  return parseColumns(text, optionalColumns);
}

/** The search parameters without those that select devices. */
export function withoutFilters({ sort, columns }: DevicesSearch): DevicesSearch {
  return omitUndefined({ sort, columns });
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
