import type { MutationOptions } from '@tanstack/react-query';
import type { Run } from '../data/action-mutation.ts';
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
 * Runs an optimistic mutation and shows a toast: on success with Undo if there is an inverse; on failure, after the rollback, with the
 * hub's message and Retry.
 */
export function runUndoable<Input>(
  run: Run,
  mutation: Mutation<Input>,
  input: Input,
  report: Undoable<Input>,
): void {
  attempt(run, mutation, input, report, () => reportDone(run, mutation, report));
}

/** As `runUndoable`, but rejects when the mutation fails, for a dialog that stays open then. */
export async function submitUndoable<Input>(
  run: Run,
  mutation: Mutation<Input>,
  input: Input,
  report: Undoable<Input>,
): Promise<void> {
  await run(mutation, input);
  reportDone(run, mutation, report);
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
