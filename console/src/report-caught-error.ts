import { ActionError } from '@corral/contract';
import { isNotFound } from '@tanstack/react-router';
import { documentCopy } from './shell/document-copy.ts';

/** React's `onCaughtError`: logs what an error boundary caught, except what the screen shows and is no bug. */
export function reportCaughtError(error: unknown): void {
  if (error instanceof ActionError || isNotFound(error)) return;
  if (error instanceof Error && error.message === documentCopy.pageNotLoaded) return;
  console.error(error);
}
