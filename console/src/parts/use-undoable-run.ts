import type { MutationOptions } from '@tanstack/react-query';
import { useCallback } from 'react';
import { type Run, useRun } from '../data/action-mutation.ts';
import { messageOf } from '../ui/form/message-of.ts';
import { showToast } from '../ui/overlay/toast.ts';
import { uiCopy } from '../ui/copy.ts';

/** How an undoable mutation is reported and undone. */
interface Undoable<Input> {
  /** The input of the same mutation that restores the former state; without it there is no Undo. */
  readonly inverse?: Input | undefined;
  readonly done: string;
  readonly failed: string;
}

/**
 * A function that runs an optimistic mutation and shows a toast: on success with Undo if there is an inverse; on failure, after the
 * rollback, with the hub's message and Retry. The function keeps its identity.
 */
export function useUndoableRun(): <Data, Input, Applied>(
  mutation: MutationOptions<Data, Error, Input, Applied>,
  input: Input,
  report: Undoable<Input>,
) => void {
  const run = useRun();
  return useCallback((mutation, input, report) => runUndoable(run, mutation, input, report), [run]);
}

function runUndoable<Data, Input, Applied>(
  run: Run,
  mutation: MutationOptions<Data, Error, Input, Applied>,
  input: Input,
  { inverse, done, failed }: Undoable<Input>,
): void {
  function attempt(next: Input, onDone: () => void): void {
    run(mutation, next).then(onDone, (error: unknown) =>
      showToast(failed, {
        tone: 'danger',
        text: messageOf(error),
        action: { label: uiCopy.toast.retry, onClick: () => attempt(next, onDone) },
      }),
    );
  }
  attempt(input, () => {
    const undo =
      inverse === undefined ? undefined : () => attempt(inverse, () => showToast(uiCopy.toast.undone));
    showToast(done, { tone: 'ok', action: undo && { label: uiCopy.toast.undo, onClick: undo } });
  });
}
