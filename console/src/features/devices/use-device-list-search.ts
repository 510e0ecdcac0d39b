import { useUrlChoice } from '../../parts/use-url-choice.ts';
import { useUrlText } from '../../parts/use-url-text.ts';
import { omitUndefined } from '../../parts/search-values.ts';
import { type ColumnChoice, formatColumns } from '../../ui/table/column-choice.ts';
import { formatSort, type TableSort } from '../../ui/table/data-table.ts';
import { columnsOf, type DevicesSearch, sortOf } from './device-view.ts';

/** Filter, sort order and columns of the list as props of its table. They show at once, and are written to the URL. */
export function useDeviceListSearch(search: DevicesSearch, onSearchChange: (search: DevicesSearch) => void) {
  const change = (part: { [Key in keyof DevicesSearch]: DevicesSearch[Key] | undefined }) =>
    onSearchChange(omitUndefined({ ...search, ...part }));
  const [filter, setFilter] = useUrlText(search.q ?? '', (q) => change({ q: q === '' ? undefined : q }));
  const [sort, setSort] = useUrlChoice(search.sort, (next) => change({ sort: next }));
  const [columns, setColumns] = useUrlChoice(search.columns, (next) => change({ columns: next }));
  return {
    filter,
    onFilterChange: setFilter,
    sort: sortOf(sort),
    onSortChange: (next: TableSort | undefined) => setSort(formatSort(next)),
    columnChoice: columnsOf(columns),
    onColumnChoiceChange: (next: ColumnChoice | undefined) => setColumns(formatColumns(next)),
  };
}
