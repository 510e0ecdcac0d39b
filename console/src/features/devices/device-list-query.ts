import { type CallInput, filterErrorIn } from '@corral/contract';
import { filterOfState } from '../../parts/device-filters.ts';
import { mistakeOf } from '../../parts/filter-mistake.ts';
import { orderOfSort } from '../../parts/saved-view.ts';
import type { FilterMistake } from '../../ui/table/MistakeInFilter.tsx';
import { type DevicesSearch, sortOf, viewOf } from './device-view.ts';

/** The filter and the order that the hub applies to the devices of a project. */
export type DeviceListQuery = Pick<CallInput<'projects_QueryProjectDevices'>, 'filter' | 'order'>;

const filterOfView = { all: '', ...filterOfState };

/** The filter and the order of a view of the list. */
export function deviceListQueryOf(search: DevicesSearch): DeviceListQuery {
  const { q = '' } = search;
  // Unchanged if possible, so that the hub names the right position of a mistake.
  const typed = q.trim() === '' ? '' : q;
  const filter =
    typed === '' ? filterOfView[viewOf(search)] : `${beforeTyped(search)}${typed}${afterTyped(search)}`;
  const sort = sortOf(search.sort);
  return {
    ...(filter === '' ? {} : { filter }),
    ...(sort === undefined ? {} : { order: orderOfSort(sort) }),
  };
}

function beforeTyped(search: DevicesSearch): string {
  const ofView = filterOfView[viewOf(search)];
  return ofView === '' ? '' : `${ofView} (`;
}

function afterTyped(search: DevicesSearch): string {
  return viewOf(search) === 'all' ? '' : ')';
}

/** The mistake for which the hub refused `deviceListQueryOf(search)`, at its position in the typed text; undefined for other errors. */
export function mistakeFromHub(search: DevicesSearch, refusal: unknown): FilterMistake | undefined {
  const error = filterErrorIn(refusal, beforeTyped(search).length);
  return error && mistakeOf(search.q ?? '', error);
}
