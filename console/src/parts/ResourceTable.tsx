import type { ComponentProps, ReactNode } from 'react';
import { EmptyState } from '../ui/layout/EmptyState.tsx';
import { DataTable } from '../ui/table/DataTable.tsx';
import { NextPage } from './NextPage.tsx';
import type { RowsInView } from './row-source.ts';
import type { TableSearchState } from './use-table-search.ts';

/** What a list without rows says. */
export interface EmptyWords {
  /** Of a page by default that of its section. */
  readonly icon?: ReactNode;
  readonly title: string;
  readonly text?: string;
  /** What can be done at once. */
  readonly children?: ReactNode;
}

/** The options of a list that its table has too. */
export type TableOptions<Row extends object> = Pick<
  ComponentProps<typeof DataTable<Row>>,
  | 'columns'
  | 'rowKey'
  | 'rowName'
  | 'filterField'
  | 'filterMistake'
  | 'filters'
  | 'isFiltered'
  | 'onClearFilters'
  | 'menu'
  | 'csvName'
  | 'isChanged'
  | 'onOpen'
  | 'bulkActions'
  | 'allMatching'
> & {
  /** The label of the filter; no filter without it. */
  filterLabel?: string | undefined;
  /** False for a list in one fixed order, such as a log. */
  isSortable?: boolean | undefined;
  empty: EmptyWords;
};

/** The table of a list with its empty state and, for a list that is read page by page, its next page. `isFlush` is for a table in a Card. */
export function ResourceTable<Row extends object>({
  label,
  rows: { rows, failure, isServerSide, readAllRows, onRowsInSight, more },
  search,
  filterLabel,
  isSortable = true,
  empty,
  create,
  isFlush = false,
  ...table
}: TableOptions<Row> & {
  label: string;
  rows: RowsInView<Row>;
  /** Without it the table can be neither filtered nor sorted. */
  search?: TableSearchState | undefined;
  /** The button that creates the first row. */
  create?: ReactNode;
  isFlush?: boolean | undefined;
}) {
  const isSearchable = search !== undefined && filterLabel !== undefined;
  return (
    <>
      <DataTable
        {...table}
        {...{ label, rows, failure, isServerSide, readAllRows, onRowsInSight, filterLabel, isFlush }}
        filter={isSearchable ? search.filter : undefined}
        onFilterChange={isSearchable ? search.setFilter : undefined}
        sort={isSortable ? search?.sort : undefined}
        onSortChange={isSortable ? search?.setSort : undefined}
        empty={
          <div className={isFlush ? '' : 'rounded-card border border-line bg-surface'}>
            <EmptyState {...empty} level={isFlush ? 3 : 2} action={create} />
          </div>
        }
      />
      {more !== undefined && rows !== undefined && <NextPage more={more} />}
    </>
  );
}
