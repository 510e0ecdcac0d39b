import { uiCopy } from '../copy.ts';

/** The sentence about a failure for the user; one within the hub has the id of the request, for the log. */
export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error ?? '');
  if (message.trim() === '') return uiCopy.dialog.failed;
  const requestId = isInternal(error) ? requestIdOf(error) : undefined;
  return requestId === undefined ? message : `${message} ${uiCopy.error.request(requestId)}`;
}

/** The id of the request that failed, where the hub answered it. */
export function requestIdOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('requestId' in error)) return undefined;
  return typeof error.requestId === 'string' ? error.requestId : undefined;
}

function isInternal(error: unknown): boolean {
  return error instanceof Error && 'kind' in error && error.kind === 'Internal';
}
