import { Trash2 } from 'lucide-react';
import { terms } from '../copy/terms.ts';
import type { Run } from '../data/action-mutation.ts';
import type { RowAction } from '../ui/table/columns.tsx';
import { askFirst } from './ask-first.ts';
import { bulkAction, type NamedRows } from './bulk-action.tsx';
import type { Confirmation } from './confirm.ts';
import { type Deletable, partsCopy } from './copy.ts';

const words = partsCopy.deletion;
const shown = () => ({ label: terms.delete, icon: <Trash2 aria-hidden /> });

/** How the rows of a list are deleted. */
export interface Deletion<Row> extends NamedRows<Row> {
  /** What a row is, for the words. */
  readonly kind: Deletable;
  /** What happens then. */
  readonly text: (rows: readonly Row[]) => string;
  /** Whether the name has to be typed first, or of several rows their number. */
  readonly isTyped?: boolean;
  readonly perform: (run: Run, row: Row) => Promise<unknown>;
}

/** The question before one row is deleted. */
export function deletionQuestion<Row>(run: Run, deletion: Deletion<Row>, row: Row): Confirmation {
  const { kind, nameOf, text, isTyped = false, perform } = deletion;
  const name = nameOf(row);
  return {
    title: words.title(kind, name),
    text: text([row]),
    verb: terms.delete,
    typedName: isTyped ? name : undefined,
    action: () => perform(run, row),
    done: words.done(kind, name),
  };
}

/** The action that deletes one row, after a question. */
export function deleteRow<Row>(run: Run, deletion: Deletion<Row>, row: Row): RowAction {
  return askFirst({ ...shown(), isDangerous: true, ...deletionQuestion(run, deletion, row) });
}

/** The action that deletes the selected rows, after a question that lists them. */
export function deleteRows<Row>(run: Run, deletion: Deletion<Row>, rows: readonly Row[]): RowAction {
  const { kind, text, isTyped = false, ...how } = deletion;
  const n = rows.length;
  const action = bulkAction(run, rows, {
    ...how,
    ...shown(),
    title: words.titleOfSeveral(kind, n),
    text: text(rows),
    typedName: isTyped ? words.counted(kind, n) : undefined,
    done: (count) => words.severalDone(kind, count),
  });
  return { ...action, tone: 'danger' };
}
