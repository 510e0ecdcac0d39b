import type { Id } from '@corral/contract';
import { QueryObserver, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRun } from '../../../data/action-mutation.ts';
import { orToast } from '../../../parts/or-toast.ts';
import { uiCopy } from '../../../ui/copy.ts';
import { showToast } from '../../../ui/overlay/toast.ts';
import { cancelChange, undoChange } from './change-mutations.ts';
import { changeQuery, type RunningChange } from './changes.ts';
import { changesCopy as words } from './copy.ts';

/** How often progress is asked for where no live change tells it. */
const askAgainMs = 2_000;

/** A function that shows the progress of a change in a toast, and its result with Undo, also after the page was left. */
export function useFollowChange(projectId: Id<'project'>): (jobId: Id<'fleetJob'>) => void {
  const client = useQueryClient();
  const run = useRun();
  const navigate = useNavigate();
  return function follow(jobId) {
    const observer = new QueryObserver(client, { ...changeQuery(jobId), refetchInterval: askAgainMs });
    let shown = false;
    const stop = observer.subscribe(({ data }) => {
      if (data === undefined) return;
      if (data.completedAt === undefined) {
        showProgress(data, shown, () => void orToast(words.notCancelled, run(cancelChange, { jobId })));
        shown = true;
        return;
      }
      stop();
      // What others see within a minute.
      void client.invalidateQueries({ queryKey: ['projects_CountFilteredDevices'] });
      showResult(data, {
        undo: () =>
          void orToast(
            words.notUndone,
            run(undoChange, { jobId }).then((undone) => follow(undone.jobId)),
          ),
        show: () =>
          void navigate({
            to: '/projects/$projectId/devices/changes/$jobId',
            params: { projectId, jobId },
            search: { status: 'Failed' },
          }),
      });
    });
  };
}

/** What a change is called. */
export function titleOf({
  change,
  total,
  undoes,
}: Pick<RunningChange, 'change' | 'total' | 'undoes'>): string {
  const title = words.titleOf(change, total);
  return undoes === undefined ? title : words.undoOf(title);
}

function showProgress(change: RunningChange, isUpdate: boolean, cancel: () => void): void {
  const { jobId, total, done, failed } = change;
  showToast(titleOf(change), {
    id: jobId,
    isUpdate,
    text: words.progress(done + failed, total),
    progress: { done: done + failed, total },
    action: { label: uiCopy.dialog.cancel, onClick: cancel },
  });
}

function showResult(
  change: RunningChange,
  { undo, show }: { readonly undo: () => void; readonly show: () => void },
): void {
  const { jobId, done, failed, undoable, undoes } = change;
  const title = undoes === undefined ? words.doneOf(change.change, done) : words.undone(done);
  showToast(done === 0 ? words.notChanged : title, {
    id: jobId,
    tone: failed > 0 ? 'danger' : 'ok',
    text: failed > 0 ? words.failed(failed) : undefined,
    action:
      failed > 0
        ? { label: words.show, onClick: show }
        : undoable && undoes === undefined
          ? { label: uiCopy.toast.undo, onClick: undo }
          : undefined,
  });
}
