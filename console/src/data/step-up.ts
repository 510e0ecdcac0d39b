import { ActionError } from '@corral/contract';

let waiting: ((isDone: boolean) => void)[] = [];
const listeners = new Set<() => void>();

/** Whether the hub has asked who the user is, and calls wait for the answer. */
export function isStepUpWanted(): boolean {
  return waiting.length > 0;
}

/** Calls the listener when `isStepUpWanted` changes; returns a function that stops this. */
export function subscribeToStepUps(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Lets all calls that wait go on, or fail because the user cancelled. */
export function endStepUp(isDone: boolean): void {
  const resolved = waiting;
  waiting = [];
  for (const listener of listeners) listener();
  for (const resolve of resolved) resolve(isDone);
}

/** Calls the hub, and once more when it asked who the user is and the user has confirmed that; all calls that wait share one question. */
export async function withStepUp<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof ActionError) || error.reason?.kind !== 'StepUpWanted') throw error;
    const isDone = await new Promise<boolean>((resolve) => {
      waiting.push(resolve);
      for (const listener of listeners) listener();
    });
    if (!isDone) throw new Error(notConfirmed, { cause: error });
    return call();
  }
}

const notConfirmed = 'Nothing was changed, because you did not confirm that it is you.';
