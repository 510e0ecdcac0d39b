import { uiCopy } from '../ui/copy.ts';
import { showToast } from '../ui/overlay/toast.ts';
import { type BulkItem, BulkRun, failureOf } from './bulk-run.ts';

/** Shows that a bulk action is done, with an Undo that performs `inverse`; `notUndone` is the title of the toast when some of it fails. */
export function showBulkDone(
  done: string,
  inverse: readonly BulkItem[],
  notUndone: (count: number) => string,
): void {
  const run = new BulkRun(inverse);
  async function undo(): Promise<void> {
    const failed = await run.start();
    if (failed.length === 0) showToast(uiCopy.toast.undone);
    else
      showToast(notUndone(failed.length), {
        tone: 'danger',
        text: failureOf(failed, inverse.length),
        action: { label: uiCopy.toast.retry, onClick: () => void undo() },
      });
  }
  showToast(done, { tone: 'ok', action: { label: uiCopy.toast.undo, onClick: () => void undo() } });
}
