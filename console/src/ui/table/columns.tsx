import { cloneElement, type ReactElement, type ReactNode } from 'react';
import { terms } from '../../copy/terms.ts';
import { Button } from '../action/Button.tsx';
import { Dash } from '../text/Dash.tsx';
import { IdTag } from '../text/IdTag.tsx';
import { Zero } from '../text/Zero.tsx';
import { RelativeTime } from '../time/RelativeTime.tsx';
import type { DataColumn } from './data-table.ts';
import { RowActionItems } from './RowActionItems.tsx';
import { RowMenu } from './RowMenu.tsx';
import { actionsWhenSaved } from './unsaved-row.ts';

/** What every builder takes besides its own options; it overrides what the builder sets. */
type ColumnOptions<Row> = { id: string; header: string } & OtherOptions<Row>;
type OtherOptions<Row> = Omit<Partial<DataColumn<Row>>, 'id' | 'header'>;
/** The same of a column that most lists have, under the same head. */
type UsualOptions<Row> = { id?: string; header?: string } & OtherOptions<Row>;

/**
 * An action on one row. Unless it only leads to another page, it is disabled while writes to the hub are blocked. Its button ignores clicks
 * while a promise that `onSelect` returned is pending.
 */
export type RowAction = {
  label: string;
  /** The accessible name of a button, where `label` alone does not say which row it is for. */
  name?: string | undefined;
  icon?: ReactElement<{ size?: number }> | undefined;
  onSelect: () => unknown;
  tone?: 'danger' | undefined;
  disabledReason?: string | undefined;
  isNavigation?: boolean | undefined;
};

/** The name that identifies a row; the title of its card on phones. */
export function nameColumn<Row>({
  of,
  ...column
}: UsualOptions<Row> & { of: (row: Row) => string }): DataColumn<Row> {
  return {
    id: 'name',
    header: terms.name,
    value: of,
    cell: (row) => <span className="font-head wrap-anywhere text-ink">{of(row)}</span>,
    onPhone: 'title',
    ...column,
  };
}

/**
 * An id that a click copies; `what` names it, e.g. "token ID". Truncated in the middle to `length` characters. With `isPlain` it has no icon
 * in the table, where room is short.
 */
export function idColumn<Row>({
  of,
  what,
  length,
  isPlain = false,
  ...column
}: ColumnOptions<Row> & {
  of: (row: Row) => string | undefined;
  what: string;
  length?: number | undefined;
  isPlain?: boolean | undefined;
}): DataColumn<Row> {
  const tag = (row: Row, isPlainHere: boolean) => {
    const id = of(row);
    return (
      id !== undefined && (
        <IdTag value={id} isPlain={isPlainHere} className="whitespace-nowrap" {...{ what, length }} />
      )
    );
  };
  return {
    value: of,
    cell: (row) => tag(row, isPlain),
    phoneCell: (row) => tag(row, false),
    onPhone: 'meta',
    ...column,
  };
}

/** A time; `never` shows where there is none, by default a faint dash. */
export function timeColumn<Row>({
  of,
  never,
  ...column
}: ColumnOptions<Row> & {
  of: (row: Row) => string | undefined;
  never?: string | undefined;
}): DataColumn<Row> {
  return {
    value: (row) => {
      const at = of(row);
      return at === undefined ? undefined : new Date(at);
    },
    cell: (row) => {
      const at = of(row);
      if (at !== undefined) return <RelativeTime at={at} />;
      return never === undefined ? <Dash /> : <span className="text-ink3">{never}</span>;
    },
    ...column,
  };
}

/** A number, 0 as a faint dash; `text` is how it is written, where that differs. */
export function countColumn<Row>({
  of,
  text,
  ...column
}: ColumnOptions<Row> & {
  of: (row: Row) => number | undefined;
  text?: ((row: Row) => string) | undefined;
}): DataColumn<Row> {
  return {
    align: 'end',
    value: of,
    cell: (row) =>
      of(row) === 0 ? (
        <Zero />
      ) : (
        <span className="tabular text-ink2">{text === undefined ? of(row) : text(row)}</span>
      ),
    csvText: text,
    ...column,
  };
}

/** A state that is shown as a badge; `of` is its word, by which it is sorted, searched and exported. */
export function badgeColumn<Row>({
  of,
  badge,
  ...column
}: ColumnOptions<Row> & { of: (row: Row) => string; badge: (row: Row) => ReactNode }): DataColumn<Row> {
  return { value: of, cell: badge, onPhone: 'badge', ...column };
}

function RowActions({ actions }: { actions: readonly RowAction[] }) {
  return (
    <span className="flex flex-wrap gap-1.5 in-[td]:justify-end">
      {actions.map(({ label, name, icon, onSelect, disabledReason, isNavigation = false }) => (
        <Button
          key={label}
          size="small"
          icon={icon && cloneElement(icon, { size: 14 })}
          label={name}
          isWrite={!isNavigation}
          disabledReason={disabledReason}
          onClick={onSelect}
        >
          {label}
        </Button>
      ))}
    </span>
  );
}

/** The actions on a row, as small buttons. */
export function actionsColumn<Row>({
  of,
  ...column
}: UsualOptions<Row> & { of: (row: Row) => readonly RowAction[] }): DataColumn<Row> {
  return {
    id: 'actions',
    header: terms.actions,
    align: 'end',
    // Nothing at all without an action, so that a card does not show the name of the column.
    cell: (row) => {
      const actions = actionsWhenSaved(of(row), [row]);
      return actions.length === 0 ? null : <RowActions actions={actions} />;
    },
    ...column,
  };
}

/** The actions on a row, as a menu that begins with Copy ID; `what` names the id, e.g. "token ID". */
export function menuColumn<Row>({
  of,
  idOf,
  nameOf,
  what,
  ...column
}: UsualOptions<Row> & {
  of: (row: Row) => readonly RowAction[];
  idOf: (row: Row) => string;
  /** The name of the row, for the accessible name of its menu. */
  nameOf: (row: Row) => string;
  what: string;
}): DataColumn<Row> {
  return {
    id: 'actions',
    header: terms.actions,
    align: 'end',
    onPhone: 'menu',
    cell: (row) => (
      <RowMenu name={nameOf(row)}>
        {() => <RowActionItems id={idOf(row)} what={what} actions={actionsWhenSaved(of(row), [row])} />}
      </RowMenu>
    ),
    ...column,
  };
}
