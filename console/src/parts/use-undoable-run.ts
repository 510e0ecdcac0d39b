import type { MutationOptions } from '@tanstack/react-query';
import { useCallback } from 'react';
import { type Run, useRun } from '../data/action-mutation.ts';
import { messageOf } from '../ui/form/message-of.ts';
import { showToast } from '../ui/overlay/toast.ts';
import { uiCopy } from '../ui/copy.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- what it returns does not matter
type Mutation<Input> = MutationOptions<any, Error, Input, any>;

/** How an undoable mutation is reported and undone. */
interface Undoable<Input> {
  /** The input that restores the former state; without it there is no Undo. */
  readonly inverse?: Input | undefined;
  /** The mutation that takes `inverse`; by default the same one. */
  readonly inverseMutation?: Mutation<Input> | undefined;
  readonly done: string;
  readonly failed: string;
  /** Called after each attempt that failed. */
  readonly onFailed?: (() => void) | undefined;
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

/** As `useUndoableRun`, but rejects when the mutation fails, for a dialog that stays open then. */
export function useUndoableSubmit(): <Data, Input, Applied>(
  mutation: MutationOptions<Data, Error, Input, Applied>,
  input: Input,
  report: Undoable<Input>,
) => Promise<void> {
  const run = useRun();
  return useCallback(
    async (mutation, input, report) => {
      await run(mutation, input);
      reportDone(run, mutation, report);
    },
    [run],
  );
}

function runUndoable<Data, Input, Applied>(
  run: Run,
  mutation: MutationOptions<Data, Error, Input, Applied>,
  input: Input,
  report: Undoable<Input>,
): void {
  attempt(run, mutation, input, report, () => reportDone(run, mutation, report));
}

function attempt<Input>(
  run: Run,
  mutation: Mutation<Input>,
  input: Input,
  report: Pick<Undoable<Input>, 'failed' | 'onFailed'>,
  onDone: () => void,
): void {
  run(mutation, input).then(onDone, (error: unknown) => {
    showToast(report.failed, {
      tone: 'danger',
      text: messageOf(error),
      action: {
        label: uiCopy.toast.retry,
        onClick: () => attempt(run, mutation, input, report, onDone),
      },
    });
    report.onFailed?.();
  });
}

function reportDone<Input>(
  run: Run,
  mutation: Mutation<Input>,
  { inverse, inverseMutation = mutation, done, failed }: Undoable<Input>,
): void {
  const undo =
    inverse === undefined
      ? undefined
      : () => attempt(run, inverseMutation, inverse, { failed }, () => showToast(uiCopy.toast.undone));
  showToast(done, { tone: 'ok', action: undo && { label: uiCopy.toast.undo, onClick: undo } });
}
