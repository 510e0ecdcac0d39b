import type { Run } from '../data/action-mutation.ts';
import type { RowAction } from '../ui/table/columns.tsx';
import { BulkList } from './BulkList.tsx';
import { BulkRun, failureOf, maxBulkItems } from './bulk-run.ts';
import { confirm, type Confirmation } from './confirm.ts';
import { partsCopy } from './copy.ts';
import { showBulkProgress, showBulkResult } from './show-bulk-result.ts';

type Perform<Row> = (run: Run, row: Row) => Promise<unknown>;

/** By what the rows of a list are told apart, and called. */
export interface NamedRows<Row> {
  readonly keyOf: (row: Row) => string;
  readonly nameOf: (row: Row) => string;
}

interface BulkQuestion<Row>
  extends
    NamedRows<Row>,
    Omit<RowAction, 'onSelect' | 'tone'>,
    Pick<Confirmation, 'title' | 'text' | 'typedName' | 'tone'> {
  /** By default the label. */
  readonly verb?: string;
  readonly perform: Perform<Row>;
  /** The title of the toast, by how many rows are done. */
  readonly done: (count: number) => string;
  /** Takes back what was performed; the title of the toast when that fails for some. */
  readonly undo?: { readonly perform: Perform<Row>; readonly notUndone: (count: number) => string };
}

/**
 * The action on selected rows that asks first, and performs it in the dialog, which shows the result of each. When some fail the dialog stays
 * open, and tries only these again. Cancel stops before the next row; when the page is left, the action goes on and a toast shows its progress.
 */
export function bulkAction<Row>(
  run: Run,
  rows: readonly Row[],
  { label, icon, disabledReason = tooMany(rows), ...question }: BulkQuestion<Row>,
): RowAction {
  return { label, icon, disabledReason, onSelect: () => void ask(run, rows, { verb: label, ...question }) };
}

/** Why a bulk action does not take so many rows; undefined where it does. */
export function tooMany(rows: readonly unknown[]): string | undefined {
  return rows.length > maxBulkItems ? partsCopy.bulk.tooMany(maxBulkItems) : undefined;
}

async function ask<Row>(
  call: Run,
  rows: readonly Row[],
  {
    keyOf,
    nameOf,
    perform,
    text,
    done,
    undo,
    ...question
  }: Omit<BulkQuestion<Row>, 'label' | 'verb'> & { verb: string },
): Promise<void> {
  const itemsOf = (perform: Perform<Row>) =>
    rows.map((row) => ({ key: keyOf(row), name: nameOf(row), perform: () => perform(call, row) }));
  const run = new BulkRun(itemsOf(perform));
  let isOpen = true;
  await confirm({
    ...question,
    text: (
      <>
        <p>{text}</p>
        <BulkList run={run} />
      </>
    ),
    action: async () => {
      const failed = await run.start();
      if (isOpen && failed.length > 0) throw new Error(failureOf(failed, rows.length));
    },
    onClosed(isCancelled) {
      isOpen = false;
      if (isCancelled) run.stop();
      else showBulkProgress(run, question.title);
    },
  });
  showBulkResult(run, { done, undo: undo && { ...undo, items: itemsOf(undo.perform) } }, !isOpen);
}
