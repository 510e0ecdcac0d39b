import { Link, type LinkProps, Outlet } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { ButtonLink } from '../ui/action/ButtonLink.tsx';
import { Page } from '../ui/layout/Page.tsx';
import { usePageAction } from './page-actions.ts';
import { usePageSection } from './page-section.ts';
import { PageActionButton } from './PageActionButton.tsx';
import { ResourceTable, type TableOptions } from './ResourceTable.tsx';
import type { RowSource } from './row-source.ts';
import { SectionHeader } from './SectionHeader.tsx';
import { useTableSearch } from './use-table-search.ts';

/**
 * The button that creates a resource, also by the key `c`. `link` leads to the route of its dialog, see `useDialogRoute`; write it with
 * the router's `linkOptions`.
 */
export type CreateButton = { label: string } & ({ link: LinkProps } | { onCreate: () => void });

/**
 * The page of a list: header with a create button, filter, table, empty state. Filter and sort are in the URL. The dialogs that are
 * child routes of the page show above it. `children` follow the table.
 */
export function ResourceListPage<Row extends object>({
  title,
  label,
  name,
  parents,
  meta,
  actions,
  intro,
  source,
  create,
  children,
  ...table
}: TableOptions<Row> & {
  /** By default the name of the section. */
  title?: string | undefined;
  /** The accessible name of the table; by default the title. */
  label?: string | undefined;
  /** For a list of something in a section: its own crumb, and the links between the section and the page. */
  name?: string | undefined;
  parents?: ReactNode;
  /** The text below the title, by the number of rows in all. */
  meta?: ((count: number) => ReactNode) | undefined;
  /** Further actions in the header. */
  actions?: ReactNode;
  /** Content between header and table. */
  intro?: ReactNode;
  source: RowSource<Row>;
  create?: CreateButton | undefined;
  children?: ReactNode;
}) {
  const section = usePageSection();
  const search = useTableSearch(table.columns);
  const rows = source(search);
  const count = rows.total ?? rows.rows?.length ?? 0;
  const hasFilter = table.isFiltered === true || (table.filterLabel !== undefined && search.filter !== '');
  const isEmpty = count === 0 && !hasFilter;
  const button = create && <Create create={create} />;
  return (
    <Page>
      <SectionHeader
        {...{ title, name, parents }}
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
      <ResourceTable
        {...table}
        {...{ rows, search }}
        label={label ?? title ?? section?.label ?? ''}
        create={button}
      />
      {children}
      <Outlet />
    </Page>
  );
}

function Create({ create }: { create: CreateButton }) {
  const icon = <Plus size={16} aria-hidden />;
  if ('link' in create) return <CreateLink {...create} icon={icon} />;
  return (
    <PageActionButton isCreate variant="primary" icon={icon} onClick={create.onCreate}>
      {create.label}
    </PageActionButton>
  );
}

function CreateLink({ label, link, icon }: { label: string; link: LinkProps; icon: ReactNode }) {
  const element = usePageAction<HTMLAnchorElement>(label, { isCreate: true });
  return (
    <ButtonLink
      ref={element}
      variant="primary"
      icon={icon}
      shortcut="c"
      render={<Link {...link} search resetScroll={false} state={{ isAbovePage: true }} />}
    >
      {label}
    </ButtonLink>
  );
}
