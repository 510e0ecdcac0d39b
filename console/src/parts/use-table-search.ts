import {
  type DataColumn,
  formatSort,
  isSortable,
  parseSort,
  type TableSort,
} from '../ui/table/data-table.ts';
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
 * Filter and sort of the list of the current route, whose `validateSearch` is `parseTableSearch` or keeps the same parameters. A second
 * list of a page has parameters that begin with its name, `list`, such as "invitationsQ".
 */
export function useTableSearch<Row>(columns: readonly DataColumn<Row>[], list?: string): TableSearchState {
  const [search, write] = useUrlSearch<Record<string, string>>();
  const names = list === undefined ? { q: 'q', sort: 'sort' } : { q: `${list}Q`, sort: `${list}Sort` };
  const [filter, setFilter] = useUrlText(search[names.q] ?? '', (text) =>
    write({ [names.q]: text === '' ? undefined : text }),
  );
  const [chosen, setChosen] = useUrlChoice(search[names.sort], (sort) => write({ [names.sort]: sort }));
  const sort = parseSort(chosen);
  const isKnown = columns.some((column) => column.id === sort?.id && isSortable(column));
  return {
    filter,
    setFilter,
    sort: isKnown ? sort : undefined,
    setSort: (next) => setChosen(formatSort(next)),
  };
}
