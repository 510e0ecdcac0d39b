import { type SavedView, orderOfSort, searchOfSavedView } from '../../parts/saved-view.ts';
import { columnsOf, type DevicesSearch, parseDevicesSearch, sortOf } from './device-view.ts';

/** The search parameters of the list that shows a saved view, as the route parses them. */
export function searchOf(view: SavedView): DevicesSearch {
  return parseDevicesSearch(searchOfSavedView(view));
}

/** Whether the list shows what a saved view does. */
export function isShowing(search: DevicesSearch, view: SavedView): boolean {
  return JSON.stringify(parseDevicesSearch(search)) === JSON.stringify(searchOf(view));
}

/** What a view with these search parameters is saved as, apart from its name. */
export function savedViewOf(search: DevicesSearch): Omit<SavedView, 'name'> {
  const { q, status, certs } = search;
  const sort = sortOf(search.sort);
  const columns = columnsOf(search.columns);
  return {
    ...(q === undefined ? {} : { filter: q }),
    ...(status === undefined ? {} : { status }),
    ...(certs === undefined ? {} : { status: certs }),
    ...(sort === undefined ? {} : { order: orderOfSort(sort) }),
    ...(columns === undefined ? {} : { columns: [...columns] }),
  };
}
