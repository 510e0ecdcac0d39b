import { Outlet } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { type Run, useRun } from '../data/action-mutation.ts';
import { Page } from '../ui/layout/Page.tsx';
import type { RowAction } from '../ui/table/columns.tsx';
import type { DataColumn } from '../ui/table/data-table.ts';
import { type CreateButton, useCreateButton } from './create-button.tsx';
import { usePageSection } from './page-section.ts';
import { ResourceTable, type TableOptions } from './ResourceTable.tsx';
import type { RowSource } from './row-source.ts';
import { SectionHeader } from './SectionHeader.tsx';
import { useTableSearch } from './use-table-search.ts';

/**
 * The page of a list: header with a create button, filter, table, empty state. Filter and sort are in the URL. The dialogs that are
 * child routes of the page show above it. `children` follow the table.
 */
export function ResourceListPage<Row extends object>({
  title,
  label,
  name,
  meta,
  actions,
  intro,
  source,
  columns: columnsOf,
  bulkActions,
  create,
  empty,
  children,
  ...table
}: Omit<TableOptions<Row>, 'columns' | 'bulkActions'> & {
  /** By default the name of the section. */
  title?: string | undefined;
  /** The accessible name of the table; by default the title. */
  label?: string | undefined;
  /** For a list of something in a section: its own crumb. */
  name?: string | undefined;
  /** The text below the title, by the number of rows in all. */
  meta?: ((count: number) => ReactNode) | undefined;
  /** Further actions in the header. */
  actions?: ReactNode;
  /** Content between header and table. */
  intro?: ReactNode;
  source: RowSource<Row>;
  /** Define the function outside the component or memoise it. */
  columns: readonly DataColumn<Row>[] | ((run: Run) => readonly DataColumn<Row>[]);
  bulkActions?:
    | ((rows: readonly Row[], run: Run, isAllMatching: boolean) => readonly RowAction[])
    | undefined;
  create?: CreateButton | undefined;
  children?: ReactNode;
}) {
  const section = usePageSection();
  const run = useRun();
  const columns = useMemo(
    () => (typeof columnsOf === 'function' ? columnsOf(run) : columnsOf),
    [columnsOf, run],
  );
  const search = useTableSearch(columns);
  const rows = source(search);
  const count = rows.total ?? rows.rows?.length ?? 0;
  const hasFilter = table.isFiltered === true || (table.filterLabel !== undefined && search.filter !== '');
  const isEmpty = count === 0 && !hasFilter;
  const { button, firstButton, dialog } = useCreateButton(create);
  return (
    <Page>
      <SectionHeader
        {...{ title, name }}
        meta={meta?.(count)}
        actions={
          isEmpty ? (
            actions
          ) : (
            <>
              {actions}
              {button}
            </>
          )
        }
      />
      {intro}
      <ResourceTable<Row>
        {...table}
        {...{ rows, search, columns }}
        label={label ?? title ?? section?.label ?? ''}
        bulkActions={bulkActions && ((selected, isAll) => bulkActions(selected, run, isAll))}
        create={firstButton}
        empty={{ icon: section && <section.icon size={20} aria-hidden />, ...empty }}
      />
      {children}
      {dialog}
      <Outlet />
    </Page>
  );
}
