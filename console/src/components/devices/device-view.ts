import type { Output } from '@corral/contract';
import { enDevices } from '../../copy/en-devices.ts';
import { formatSort, parseSort, type TableSort } from '../../ui/table/data-table.ts';
import { searchChoice, searchText, asSearch } from '../search-values.ts';

/** A device in the list of a project. */
export type ListedDevice = Output<'projects_QueryProjectDevices'>['devices'][number];

const statuses = ['connected', 'disconnected'] as const;
const sortable = ['name', 'id', 'firstSeen', 'status', 'pending'];

/** What the URL says about the list: the filter text, the status or pending certificates, and the order. */
export type DevicesSearch = {
  q?: string;
  status?: (typeof statuses)[number];
  certs?: 'pending';
  sort?: string;
};

/** Which devices show; one holds. */
export type DeviceView = 'all' | 'connected' | 'disconnected' | 'pending';

/** Reads the search part of the list's URL; what is not understood falls back. */
export function parseDevicesSearch(search: Record<string, unknown>): DevicesSearch {
  const certs = searchChoice(search['certs'], ['pending']);
  return asSearch({
    q: searchText(search['q']),
    status: certs === undefined ? searchChoice(search['status'], statuses) : undefined,
    certs,
    sort: formatSort(sortOf(searchText(search['sort']))),
  });
}

/** The order of the list; undefined is the hub's, newest first. */
export function sortOf(text: string | undefined): TableSort | undefined {
  const sort = parseSort(text);
  return sort !== undefined && sortable.includes(sort.id) ? sort : undefined;
}

/** The view that a URL asks for. */
export function viewOf({ status, certs }: DevicesSearch): DeviceView {
  return certs ?? status ?? 'all';
}

/** The part of the URL that asks for a view. */
export function searchOfView(view: DeviceView): Pick<DevicesSearch, 'status' | 'certs'> {
  if (view === 'all') return {};
  return view === 'pending' ? { certs: 'pending' } : { status: view };
}

/** Whether a device shows in a view. */
export function isInView(device: ListedDevice, view: DeviceView): boolean {
  if (view === 'pending') return device.pendingCertificatesCount > 0;
  return view === 'all' || device.isConnected === (view === 'connected');
}

/** The name that a device shows by: its own, or "unnamed". */
export function deviceName({ name }: { name?: string | undefined }): string {
  return hasName(name) ? name : enDevices.unnamed;
}

/** A name for a sentence: its own, or the id, since "unnamed" would not tell which. */
export function deviceLabel({ name, deviceId }: { name?: string | undefined; deviceId: string }): string {
  return hasName(name) ? name : deviceId;
}

function hasName(name: string | undefined): name is string {
  return name !== undefined && name.trim() !== '';
}
