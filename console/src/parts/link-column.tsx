import { Link, type LinkProps } from '@tanstack/react-router';
import { ArrowRight } from 'lucide-react';
import { terms } from '../copy/terms.ts';
import { ButtonLink } from '../ui/action/ButtonLink.tsx';
import type { DataColumn } from '../ui/table/data-table.ts';

/** A column with a link that opens the row, such as View. `nameOf` names the row for screen readers. */
export function linkColumn<Row>({
  label,
  nameOf,
  linkOf,
}: {
  label: string;
  nameOf: (row: Row) => string;
  linkOf: (row: Row) => LinkProps;
}): DataColumn<Row> {
  return {
    id: 'actions',
    header: terms.actions,
    align: 'end',
    width: '6.5rem',
    cell: (row) => (
      <ButtonLink
        className="with-row"
        size="small"
        iconEnd={<ArrowRight size={14} aria-hidden className="rtl:-scale-x-100" />}
        render={<Link {...linkOf(row)} />}
      >
        <span>
          {label}
          <span className="sr-only"> {nameOf(row)}</span>
        </span>
      </ButtonLink>
    ),
  };
}
