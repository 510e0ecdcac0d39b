import type { Output } from '@corral/contract';
import { formatColumns } from '../ui/table/column-choice.ts';
import { formatSort, type TableSort } from '../ui/table/data-table.ts';
import { filterOfState } from './device-filters.ts';
import { omitUndefined } from './search-values.ts';

/** A saved view of the devices of a project. */
export type SavedView = Output<'projects_QuerySavedViews'>['views'][number];
type Order = NonNullable<SavedView['order']>;

/** The hub's order of the list: the table calls a device Connected or Disconnected, in this order; for the hub connected is true. */
export function orderOfSort({ id, isDescending }: TableSort): Order {
  return `${isDescending === isReversed(id) ? '' : '-'}${id}` as Order;
}

function sortOfOrder(order: Order): TableSort {
  const id = order.replace(/^-/u, '');
  return { id, isDescending: order.startsWith('-') !== isReversed(id) };
}

const isReversed = (id: string): boolean => id === 'status';

/** The search parameters of the list of devices that shows a saved view. */
export function searchOfSavedView({ filter, status, order, columns }: SavedView): Record<string, string> {
  return omitUndefined({
    q: filter,
    status: status === 'pending' ? undefined : status,
    certs: status === 'pending' ? status : undefined,
    sort: order && formatSort(sortOfOrder(order)),
    columns: formatColumns(columns),
  }) as Record<string, string>;
}

/** The filter of the devices that a saved view lists; empty for all. */
export function filterOfSavedView({ filter = '', status }: SavedView): string {
  const ofState = status === undefined ? '' : filterOfState[status];
  if (filter.trim() === '') return ofState;
  return ofState === '' ? filter : `${ofState} (${filter})`;
}
