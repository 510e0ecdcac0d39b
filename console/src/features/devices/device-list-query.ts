import {
  type CallInput,
  deviceFields,
  type Filter,
  FilterError,
  filterErrorIn,
  isFlagOf,
  parseFilter,
} from '@corral/contract';
import { mistakeOf } from '../../parts/filter-mistake.ts';
import { orderOfSort } from '../../parts/saved-view.ts';
import type { FilterMistake } from '../../ui/table/MistakeInFilter.tsx';
import { type DevicesSearch, sortOf, viewOf } from './device-view.ts';

/** The filter and the order that the hub applies to the devices of a project. */
export type DeviceListQuery = Pick<CallInput<'projects_QueryProjectDevices'>, 'filter' | 'order'>;

const isFlag = isFlagOf(deviceFields);

/** Whether a filter has conditions that only the hub checks, rather than words that all have to occur somewhere in a row. */
export function hasConditions(filter: string): boolean {
  try {
    const parsed = parseFilter(filter, isFlag);
    return parsed !== undefined && !isOfWords(parsed, filter);
  } catch (error) {
    // An unfinished filter, such as "not" or an open bracket, is searched for as text.
    if (error instanceof FilterError) return /[:<>=]|(?:^|[\s(])"/u.test(filter);
    throw error;
  }
}

/** Whether a filter is nothing but its words as they are written: without operators, quotation marks, brackets and stars. */
function isOfWords(filter: Filter, written: string): boolean {
  const parts = filter.kind === 'and' ? filter.parts : [filter];
  const words = parts.map((part) => (part.kind === 'text' ? part.text : ''));
  return words.join(' ') === written.trim().split(/\s+/u).join(' ');
}

const filterOfView = {
  all: '',
  connected: 'connected',
  disconnected: 'not connected',
  pending: 'cert:pending',
};

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
