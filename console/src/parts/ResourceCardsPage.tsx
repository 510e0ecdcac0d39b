import { Fragment, type ReactNode } from 'react';
import { CardGrid } from '../ui/layout/CardGrid.tsx';
import { EmptyState } from '../ui/layout/EmptyState.tsx';
import { Page } from '../ui/layout/Page.tsx';
import { type CreateButton, useCreateButton } from './create-button.tsx';
import type { EmptyWords } from './ResourceTable.tsx';
import { SectionHeader } from './SectionHeader.tsx';

/** The page of a list as cards: header with a create button, which the key `c` presses too, filters, and an empty state that teaches. */
export function ResourceCardsPage<Item>({
  items,
  keyOf,
  card,
  meta,
  create,
  filters,
  empty: { children: lesson, ...empty },
  children,
}: {
  items: readonly Item[];
  keyOf: (item: Item) => string;
  card: (item: Item) => ReactNode;
  /** The text below the title, unless there are no items. */
  meta: ReactNode;
  create: CreateButton;
  /** Between header and cards. */
  filters?: ReactNode;
  /** `children` is what teaches to fill the list, below the create button. */
  empty: EmptyWords & { children?: ReactNode };
  children?: ReactNode;
}) {
  const isEmpty = items.length === 0;
  const { button, firstButton, dialog } = useCreateButton(create);
  return (
    <Page>
      <SectionHeader meta={!isEmpty && meta} actions={!isEmpty && button} />
      {filters !== undefined && filters !== false && <div className="mb-4">{filters}</div>}
      {isEmpty ? (
        <EmptyState {...empty} action={firstButton}>
          {lesson}
        </EmptyState>
      ) : (
        <CardGrid>
          {items.map((item) => (
            <Fragment key={keyOf(item)}>{card(item)}</Fragment>
          ))}
        </CardGrid>
      )}
      {dialog}
      {children}
    </Page>
  );
}
