import type { Id } from '@corral/contract';
import { useNavigate } from '@tanstack/react-router';
import { Ban, Ellipsis, Pause, Play, RotateCcw, StepForward, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useRun } from '../../../data/action-mutation.ts';
import { confirm } from '../../../parts/confirm.ts';
import { orToast } from '../../../parts/or-toast.ts';
import { PageActionButton } from '../../../parts/PageActionButton.tsx';
import { Button } from '../../../ui/action/Button.tsx';
import { Menu } from '../../../ui/overlay/Menu.tsx';
import { MenuItem } from '../../../ui/overlay/MenuItem.tsx';
import { showToast } from '../../../ui/overlay/toast.ts';
import { operationsCopy } from '../copy.ts';
import {
  cancelOperation,
  type FoundOperation,
  pauseOperation,
  prepareUndo,
  retryOperation,
  startOperation,
} from '../fleet-operations.ts';
import { AdvanceDialog } from './AdvanceDialog.tsx';
import { useDraftPreview } from './use-draft-preview.ts';

const words = operationsCopy.actions;

/** What can be done with an operation: one button for what its state asks for, which on phones is under the thumb, and a menu for the rest. */
export function OperationActions({
  projectId,
  operation,
}: {
  projectId: Id<'project'>;
  operation: FoundOperation;
}) {
  const { status, progress, activeStageIndex, stageCount } = operation.summary;
  const [isAdvancing, setIsAdvancing] = useState(false);
  const does = useActions(projectId, operation);
  const { preview, whyNot } = useDraftPreview(operation);
  const failed = progress.failed + progress.timedOut;
  const isOpen = status === 'Running' || status === 'Paused';
  const hasEnded = status === 'Completed' || status === 'Failed' || status === 'Cancelled';
  return (
    <>
      {failed > 0 && status !== 'Cancelled' && (
        <PageActionButton
          variant="quiet"
          isWrite
          icon={<RotateCcw size={15} aria-hidden />}
          onClick={does.retry}
        >
          {words.retry(failed)}
        </PageActionButton>
      )}
      <span className="max-sm:fixed max-sm:inset-x-0 max-sm:bottom-0 max-sm:z-20 max-sm:border-t max-sm:border-line max-sm:bg-surface max-sm:p-3 max-sm:empty:hidden max-sm:*:h-12 max-sm:*:w-full">
        {status === 'Running' && (
          <PageActionButton
            variant="outlined"
            isWrite
            icon={<Pause size={16} aria-hidden />}
            onClick={does.pause}
          >
            {words.pause}
          </PageActionButton>
        )}
        {status === 'Paused' && (
          <PageActionButton
            variant="outlined"
            isWrite
            icon={<Play size={16} aria-hidden />}
            disabledReason={operation.isHeldByGuard === true ? operationsCopy.state.heldByGuard : undefined}
            onClick={does.resume}
          >
            {words.resume}
          </PageActionButton>
        )}
        {status === 'Draft' && (
          <PageActionButton
            variant="primary"
            isWrite
            icon={<Play size={16} aria-hidden />}
            disabledReason={whyNot}
            onClick={does.start}
          >
            {preview === undefined || preview.eligible === 0 ? words.start : words.startOn(preview.eligible)}
          </PageActionButton>
        )}
      </span>
      <Menu
        label={words.more}
        trigger={<Button variant="quiet" label={words.more} icon={<Ellipsis size={18} aria-hidden />} />}
      >
        {isOpen && (
          <MenuItem
            icon={<StepForward size={15} aria-hidden />}
            disabledReason={activeStageIndex + 1 >= stageCount ? operationsCopy.advance.final : undefined}
            onSelect={() => setIsAdvancing(true)}
          >
            {words.advance}
          </MenuItem>
        )}
        {hasEnded && (
          <MenuItem icon={<Undo2 size={15} aria-hidden />} onSelect={does.undo}>
            {words.undo}
          </MenuItem>
        )}
        {(isOpen || status === 'Draft') && (
          <MenuItem tone="danger" icon={<Ban size={15} aria-hidden />} onSelect={does.cancel}>
            {words.cancel}
          </MenuItem>
        )}
      </Menu>
      <AdvanceDialog {...{ operation }} open={isAdvancing} onOpenChange={setIsAdvancing} />
    </>
  );
}

/** The commands of the page, each with what is said after it. */
function useActions(
  projectId: Id<'project'>,
  { summary: { fleetOperationId, name, status } }: FoundOperation,
) {
  const run = useRun();
  const navigate = useNavigate();
  const input = { fleetOperationId };
  const say = (text: string) => () => showToast(text, { tone: 'ok' });
  return {
    pause: () => orToast(words.notPaused, run(pauseOperation, input).then(say(words.paused))),
    resume: () => orToast(words.notStarted, run(startOperation, input).then(say(words.resumed))),
    start: () =>
      void confirm({
        title: words.startTitle(name),
        text: words.startText,
        verb: words.start,
        tone: 'primary',
        action: () => run(startOperation, input),
        done: words.started,
      }),
    cancel: () =>
      void confirm({
        title: words.cancelTitle(name),
        text: words.cancelText,
        verb: words.cancelVerb,
        action: () => run(cancelOperation, input),
        done: words.cancelled(name),
      }),
    retry: () =>
      orToast(
        words.notRetried,
        run(retryOperation, { ...input, which: ['Failed', 'TimedOut', 'Interrupted'] }).then(({ devices }) =>
          say(words.retried(devices, status === 'Paused'))(),
        ),
      ),
    undo: () =>
      void orToast(
        words.noUndo,
        run(prepareUndo, input).then(async (draft) => {
          await navigate({
            to: '/projects/$projectId/operations/$operationId',
            params: { projectId, operationId: draft.fleetOperationId },
          });
          say(words.undone)();
        }),
      ),
  };
}
