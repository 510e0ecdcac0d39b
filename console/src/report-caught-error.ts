import { ActionError } from '@corral/contract';
import { isNotFound } from '@tanstack/react-router';
import { documentCopy } from './shell/document-copy.ts';

/**
 * React's `onCaughtError`: logs errors that an error boundary caught, except those that the screen shows and that are no bugs: refusals of
 * the hub, pages that do not exist, and code that could not be loaded from it.
 */
export function reportCaughtError(error: unknown): void {
  if (error instanceof ActionError || isNotFound(error)) return;
  if (error instanceof Error && error.message === documentCopy.pageNotLoaded) return;
  console.error(error);
}
