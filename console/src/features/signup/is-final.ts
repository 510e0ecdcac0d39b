import { ActionError } from '@corral/contract';

/** Whether the hub refused what was sent, so that the same is refused again. */
export function isFinal(error: Error): boolean {
  return error instanceof ActionError && (error.kind === 'Invalid' || error.kind === 'Forbidden');
}
