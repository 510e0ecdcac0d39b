import { ActionError } from '@corral/contract';

/** What React does with an error that a screen shows: nothing where the hub refused something, since the screen says it all; else it is a bug and is logged. */
export function reportCaughtError(error: unknown): void {
  if (!(error instanceof ActionError)) console.error(error);
}
