import { uiCopy } from '../copy.ts';

/** The sentence about a failure for the user: the message of the error, or a general one where it has none. */
export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error ?? '');
  return message.trim() === '' ? uiCopy.dialog.failed : message;
}
