import { uiCopy } from '../ui/copy.ts';
import { showToast } from '../ui/overlay/toast.ts';
import { type BulkItem, BulkRun, failureOf } from './bulk-run.ts';
import { partsCopy } from './copy.ts';

/** How the result of a bulk action is worded, and undone where that is possible. */
export interface BulkOutcome {
  /** The title of the toast, by how many items were done. */
  readonly done: (count: number) => string;
  readonly undo?:
    | {
        /** For each item the call that takes it back, with the same key. */
        readonly items: readonly BulkItem[];
        /** The title of the toast when some of that fails. */
        readonly notUndone: (count: number) => string;
      }
    | undefined;
}

/**
 * Shows what a bulk action did that has ended, with Undo for the items that are done. A dialog that was open at the end has shown what failed;
 * otherwise (`wasClosed`) the toast also says how many failed or were not started.
 */
export function showBulkResult(run: BulkRun, { done, undo }: BulkOutcome, wasClosed: boolean): void {
  const { items, toastId } = run;
  const keys = new Set(run.done().map(({ key }) => key));
  const failed = wasClosed ? run.failed() : [];
  if (keys.size + failed.length === 0) return;
  const left = wasClosed ? items.length - keys.size - failed.length : 0;
  const sentences = [
    ...(failed.length > 0 ? [failureOf(failed, items.length)] : []),
    ...(left > 0 ? [partsCopy.bulk.left(left, items.length)] : []),
  ];
  const inverse = undo?.items.filter(({ key }) => keys.has(key)) ?? [];
  showToast(done(keys.size), {
    id: toastId,
    tone: failed.length > 0 ? 'danger' : left > 0 ? 'info' : 'ok',
    text: sentences.join(' ') || undefined,
    action:
      undo === undefined || inverse.length === 0
        ? undefined
        : { label: uiCopy.toast.undo, onClick: () => void undoItems(new BulkRun(inverse), undo.notUndone) },
  });
}

async function undoItems(run: BulkRun, notUndone: (count: number) => string): Promise<void> {
  const failed = await run.start();
  if (failed.length === 0) showToast(uiCopy.toast.undone);
  else
    showToast(notUndone(failed.length), {
      tone: 'danger',
      text: failureOf(failed, run.items.length),
      action: { label: uiCopy.toast.retry, onClick: () => void undoItems(run, notUndone) },
    });
}

/** How often a toast shows the progress of a bulk action: screen readers read it each time. */
const maxUpdates = 20;

/** Shows the progress of a bulk action whose dialog was left, with a Cancel that stops it, until `showBulkResult`. */
export function showBulkProgress(run: BulkRun, title: string): void {
  const total = run.items.length;
  const step = Math.ceil(total / maxUpdates);
  let shown = -1;
  function show(): void {
    const done = run.done().length;
    if (run.isStopped || (shown >= 0 && done < shown + step)) return;
    showToast(title, {
      id: run.toastId,
      isUpdate: shown >= 0,
      text: partsCopy.bulk.doneOf(done, total),
      progress: { done, total },
      action: { label: uiCopy.dialog.cancel, onClick: () => run.stop() },
    });
    shown = done;
  }
  show();
  run.subscribe(show);
}
