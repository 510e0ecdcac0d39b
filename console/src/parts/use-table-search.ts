import {
  type DataColumn,
  formatSort,
  isSortable,
  parseSort,
  type TableSort,
} from '../ui/table/data-table.ts';
import type { TableSearch } from './table-search.ts';
import { useUrlChoice } from './use-url-choice.ts';
import { useUrlSearch } from './use-url-search.ts';
import { useUrlText } from './use-url-text.ts';

/** Filter and sort of a table, as they are in the URL. */
export interface TableSearchState {
  readonly filter: string;
  readonly setFilter: (filter: string) => void;
  /** Undefined also for a column that the table cannot be sorted by. */
  readonly sort: TableSort | undefined;
  readonly setSort: (sort: TableSort | undefined) => void;
}

/**
 * Filter and sort of the list of the current route, whose `validateSearch` is `parseTableSearch` or keeps the same parameters. Both show
 * at once and replace the entry in the history; other search parameters stay.
 */
export function useTableSearch<Row>(columns: readonly DataColumn<Row>[]): TableSearchState {
  const [search, write] = useUrlSearch<TableSearch>();
  const [filter, setFilter] = useUrlText(search.q ?? '', (q) => write({ q: q === '' ? undefined : q }));
  const [chosen, setChosen] = useUrlChoice(search.sort, (sort) => write({ sort }));
  const sort = parseSort(chosen);
  const isKnown = columns.some((column) => column.id === sort?.id && isSortable(column));
  return {
    filter,
    setFilter,
    sort: isKnown ? sort : undefined,
    setSort: (next) => setChosen(formatSort(next)),
  };
}
