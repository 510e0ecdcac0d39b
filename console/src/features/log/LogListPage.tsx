import type { FilterFields } from '@corral/contract';
import { useState } from 'react';
import { CopyLinkItem } from '../../parts/CopyLinkItem.tsx';
import { FilterField } from '../../parts/FilterField.tsx';
import { NewRowsPill } from '../../parts/NewRowsPill.tsx';
import { ResourceListPage } from '../../parts/ResourceListPage.tsx';
import { logCopy } from './copy.ts';
import type { LogPages } from './use-log-pages.ts';
import type { SearchedLog } from './use-searched-log.ts';

type PageProps<Row extends object> = Parameters<typeof ResourceListPage<Row>>[0];

/** The page of rows that are logged, newest first: older ones on request, a pill for new ones, and a button that copies the link to what is filtered. */
export function LogListPage<Row extends object>({
  log,
  searched,
  fields,
  words,
  filters,
  children,
  ...page
}: Omit<PageProps<Row>, 'source' | 'isSortable' | 'menu' | 'filterField' | 'filterMistake'> & {
  log: LogPages<Row>;
  searched: SearchedLog<Row>;
  /** What conditions of the filter may name. */
  fields: FilterFields;
  words: { readonly older: string; readonly newEntries: (count: string, isOne: boolean) => string };
}) {
  const { newCount } = log;
  const { limits, mistake, hasWaiting, ...rows } = searched;
  const [isCompleting, setIsCompleting] = useState(false);
  return (
    <ResourceListPage
      {...page}
      source={() => rows}
      filterField={(field) => (
        <FilterField {...field} {...{ fields }} hints={logCopy.filterFields} onListChange={setIsCompleting} />
      )}
      // While suggestions show, the filter is unfinished and not called wrong.
      filterMistake={isCompleting ? undefined : mistake}
      filters={
        <>
          {filters}
          {limits !== undefined && (
            <p role="status" className="basis-full text-small text-ink3 xl:order-last">
              {limits}
            </p>
          )}
        </>
      }
      isSortable={false}
      menu={<CopyLinkItem />}
    >
      <NewRowsPill
        text={
          hasWaiting && newCount > 0
            ? words.newEntries(`${newCount}${log.hasMoreNew ? '+' : ''}`, newCount === 1)
            : undefined
        }
        onShow={log.showNewEntries}
      />
      {children}
    </ResourceListPage>
  );
}
