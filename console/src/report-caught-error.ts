import { ActionError } from '@corral/contract';

/** React's `onCaughtError`: logs errors that an error boundary caught, except refusals of the hub, which the screen shows and which are no bugs. */
export function reportCaughtError(error: unknown): void {
  if (!(error instanceof ActionError)) console.error(error);
}
