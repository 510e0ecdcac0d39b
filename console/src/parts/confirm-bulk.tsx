import type { ReactNode } from 'react';
import { BulkList } from './BulkList.tsx';
import { type BulkItem, BulkRun, failureOf } from './bulk-run.ts';
import { confirm, type Confirmation } from './confirm.ts';
import { type BulkOutcome, showBulkProgress, showBulkResult } from './show-bulk-result.ts';

/**
 * Asks before an action on several rows, and performs it in the dialog, which shows the result of each. When some fail the dialog stays open,
 * and tries only these again. Cancel stops before the next row; when the page is left, the action goes on and a toast shows its progress.
 */
export async function confirmBulk(
  items: readonly BulkItem[],
  {
    text,
    done,
    undo,
    ...question
  }: Pick<Confirmation, 'title' | 'verb' | 'typedName' | 'tone'> & BulkOutcome & { text: ReactNode },
): Promise<void> {
  const run = new BulkRun(items);
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
      if (isOpen && failed.length > 0) throw new Error(failureOf(failed, items.length));
    },
    onClosed(isCancelled) {
      isOpen = false;
      if (isCancelled) run.stop();
      else showBulkProgress(run, question.title);
    },
  });
  showBulkResult(run, { done, undo }, !isOpen);
}
