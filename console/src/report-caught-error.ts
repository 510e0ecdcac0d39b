import { ActionError } from '@corral/contract';
import { documentCopy } from './shell/document-copy.ts';

/**
 * React's `onCaughtError`: logs errors that an error boundary caught, except those that the screen shows and that are no bugs: refusals of
 * the hub, and code that could not be loaded from it.
 */
export function reportCaughtError(error: unknown): void {
  if (error instanceof ActionError) return;
  if (error instanceof Error && error.message === documentCopy.pageNotLoaded) return;
  console.error(error);
}
