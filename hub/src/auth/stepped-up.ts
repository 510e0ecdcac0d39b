import { ActionError, type Actor } from '@corral/contract';

/** For so long a proof of who somebody is counts. */
const provedForMs = 10 * 60_000;

/** A call, as far as it tells who acts and when that was proved. */
interface Call {
  readonly actor: Actor;
  readonly origin: { readonly steppedUpAt?: string };
  readonly now: Date;
}

/** Whether somebody in a session has proved in the last ten minutes who it is. */
export function isSteppedUp({ origin: { steppedUpAt }, now }: Omit<Call, 'actor'>): boolean {
  return steppedUpAt !== undefined && now.getTime() - Date.parse(steppedUpAt) <= provedForMs;
}

/**
 * Requires of somebody in a session a password or a second factor of the last ten minutes. A user token cannot give one: it passes, because whoever made it had to. Throws an
 * `ActionError` with the reason StepUpWanted, upon which clients ask and call again.
 */
export function mustBeSteppedUp(call: Call): void {
  if (call.actor.actor !== 'User' || isSteppedUp(call)) return;
  throw new ActionError(
    'Forbidden',
    'Confirm that it is you, by your password or second factor: the last time was more than ten minutes ago.',
    { reason: { kind: 'StepUpWanted' } },
  );
}
