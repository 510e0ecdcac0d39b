import { type CallInput, deviceFields, FilterError, isFlagOf, parseFilter, testsOf } from '@corral/contract';
import { type DevicesSearch, sortOf, viewOf } from './device-view.ts';

/** The filter and the order that the hub applies to the devices of a project. */
export type DeviceListQuery = Pick<CallInput<'projects_QueryProjectDevices'>, 'filter' | 'order'>;

const isFlag = isFlagOf(deviceFields);

/** Whether a filter has conditions that only the hub can check, rather than words that may occur anywhere in a row. */
export function hasConditions(filter: string): boolean {
  try {
    const parsed = parseFilter(filter, isFlag);
    return parsed !== undefined && testsOf(parsed).some(({ kind }) => kind === 'compare' || kind === 'has');
  } catch (error) {
    if (error instanceof FilterError) return /[:<>=]/u.test(filter);
    throw error;
  }
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
  const ofView = filterOfView[viewOf(search)];
  // As it was typed where that is possible, so that the hub names the right place of a mistake.
  const typed = q.trim() === '' ? '' : q;
  const filter = ofView === '' || typed === '' ? ofView + typed : `${ofView} (${typed})`;
  const sort = sortOf(search.sort);
  return { ...(filter === '' ? {} : { filter }), ...(sort === undefined ? {} : { order: orderOf(sort) }) };
}

/** The table calls a device Connected or Disconnected, in this order; for the hub connected is true. */
function orderOf({
  id,
  isDescending,
}: NonNullable<ReturnType<typeof sortOf>>): NonNullable<DeviceListQuery['order']> {
  const isReversed = id === 'status';
  return `${isDescending === isReversed ? '' : '-'}${id}` as NonNullable<DeviceListQuery['order']>;
}
