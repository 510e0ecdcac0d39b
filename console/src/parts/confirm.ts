import type { ReactNode } from 'react';

/** A question before an action that cannot be undone. */
export interface Confirmation {
  /** Names the action and its object, e.g. "Delete token “quay”". */
  readonly title: string;
  /** What happens then. */
  readonly text: ReactNode;
  /** The label of the button. */
  readonly verb: string;
  /** A name that has to be typed first. */
  readonly typedName?: string | undefined;
  readonly tone?: 'danger' | 'primary' | undefined;
  /** The action. The dialog stays open until it is done; when it fails, the dialog shows why and it can be tried again. */
  readonly action: () => unknown;
  /** The toast after the action, or a function that words it then. */
  readonly done?: string | (() => string) | undefined;
  /** Called when the dialog closes while the action runs: the user has cancelled, or gone to another page. */
  readonly onClosed?: ((isCancelled: boolean) => void) | undefined;
}

/** A confirmation that is asked for, as `ConfirmHost` shows it. */
export interface OpenConfirmation extends Confirmation {
  readonly number: number;
  /** Ends the question: whether the action was done. */
  readonly settle: (isDone: boolean) => void;
}

let asked: readonly OpenConfirmation[] = [];
let count = 0;
const listeners = new Set<() => void>();

/**
 * Asks the user in a dialog, and runs the action there. Resolves to true when the action is done, to false when the user cancels,
 * leaves the page or signs out. The dialog belongs to the shell, so it outlives the row or the page that asked.
 */
export function confirm(confirmation: Confirmation): Promise<boolean> {
  return new Promise((resolve) => {
    count += 1;
    change([...asked, { ...confirmation, number: count, settle: resolve }]);
  });
}

/** The confirmation to show now; further ones wait for it. */
export function openConfirmation(): OpenConfirmation | undefined {
  return asked[0];
}

/** Calls the listener after every change of `openConfirmation`; returns a function that stops this. */
export function subscribeToConfirmations(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Takes a confirmation off the screen; its promise is settled apart. */
export function closeConfirmation({ number }: OpenConfirmation): void {
  change(asked.filter((one) => one.number !== number));
}

function change(next: readonly OpenConfirmation[]): void {
  asked = next;
  for (const listener of listeners) listener();
}
