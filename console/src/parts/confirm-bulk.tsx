import type { ReactNode } from 'react';
import { BulkList } from './BulkList.tsx';
import { type BulkItem, BulkRun, failureOf } from './bulk-run.ts';
import { confirm, type Confirmation } from './confirm.ts';

/**
 * Asks before an action on several rows, and performs it in the dialog, which shows the result of each. When some fail the dialog stays open,
 * and tries only these again. Resolves to the items that were done, also when the user gives up on the others.
 */
export async function confirmBulk(
  items: readonly BulkItem[],
  {
    text,
    ...question
  }: Pick<Confirmation, 'title' | 'verb' | 'typedName' | 'tone' | 'done'> & {
    text: ReactNode;
  },
): Promise<readonly BulkItem[]> {
  const run = new BulkRun(items);
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
      if (failed.length > 0) throw new Error(failureOf(failed, items.length));
    },
  });
  return run.done();
}
