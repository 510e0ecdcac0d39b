import { CopyLinkButton } from '../../parts/CopyLinkButton.tsx';
import { NewRowsPill } from '../../parts/NewRowsPill.tsx';
import { ResourceListPage } from '../../parts/ResourceListPage.tsx';
import { logCopy } from './copy.ts';
import type { LogPages } from './use-log-pages.ts';

type PageProps<Row extends object> = Parameters<typeof ResourceListPage<Row>>[0];

/** The page of rows that are logged, newest first: older ones on request, a pill for new ones, and a button that copies the link to what is filtered. */
export function LogListPage<Row extends object>({
  log,
  rows,
  isShown = () => true,
  words,
  children,
  ...page
}: Omit<PageProps<Row>, 'source' | 'isSortable' | 'aside'> & {
  log: LogPages<Row>;
  /** Those of the loaded rows that are shown. */
  rows: readonly Row[];
  /** Whether an entry is shown once it is loaded; all are by default. */
  isShown?: ((row: Row) => boolean) | undefined;
  words: { readonly older: string; readonly newEntries: (count: string, isOne: boolean) => string };
}) {
  const { newCount, readAllRows } = log;
  const more = {
    label: words.older,
    end: logCopy.end,
    load: log.hasOlder ? log.loadOlder : undefined,
    isLoading: log.isLoadingOlder,
    failure: log.failure,
  };
  const readShown: typeof readAllRows =
    readAllRows &&
    (async (reading) => {
      const { rows: read, isCut } = await readAllRows(reading);
      return { rows: read.filter(isShown), isCut };
    });
  return (
    <ResourceListPage
      {...page}
      source={() => (log.entries.length === 0 ? { rows } : { rows, more, readAllRows: readShown })}
      isSortable={false}
      aside={<CopyLinkButton />}
    >
      <NewRowsPill
        text={
          newCount > 0
            ? words.newEntries(`${newCount}${log.hasMoreNew ? '+' : ''}`, newCount === 1)
            : undefined
        }
        onShow={log.showNewEntries}
      />
      {children}
    </ResourceListPage>
  );
}
