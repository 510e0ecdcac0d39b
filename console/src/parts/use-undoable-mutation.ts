import { type UseMutationOptions, useMutation } from '@tanstack/react-query';
import { uiCopy } from '../ui/copy.ts';
import { showToast } from '../ui/overlay/toast.ts';
import { messageOf } from '../ui/form/message-of.ts';

/**
 * Runs an optimistic mutation and shows a toast: on success with Undo if `inverse` is given; on failure, after the rollback, with the
 * hub's message and Retry. Returns `run(variables, inverse?)`.
 */
export function useUndoableMutation<Data, Variables, Applied>(
  options: UseMutationOptions<Data, Error, Variables, Applied>,
  words: { done: (variables: Variables) => string; failed: (variables: Variables) => string },
): (variables: Variables, inverse?: Variables) => void {
  const { mutateAsync } = useMutation(options);
  async function run(variables: Variables, inverse: Variables | undefined): Promise<void> {
    try {
      await mutateAsync(variables);
      showToast(words.done(variables), {
        tone: 'ok',
        action:
          inverse === undefined ? undefined : { label: uiCopy.toast.undo, onClick: () => undo(inverse) },
      });
    } catch (error) {
      showFailure(words.failed(variables), error, () => void run(variables, inverse));
    }
  }
  function undo(inverse: Variables): void {
    mutateAsync(inverse).then(
      () => showToast(uiCopy.toast.undone),
      (error: unknown) => showFailure(words.failed(inverse), error, () => undo(inverse)),
    );
  }
  return (variables, inverse) => void run(variables, inverse);
}

function showFailure(title: string, error: unknown, retry: () => void): void {
  showToast(title, {
    tone: 'danger',
    text: messageOf(error),
    action: { label: uiCopy.toast.retry, onClick: retry },
  });
}
