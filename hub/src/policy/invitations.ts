import { ActionError, ids, type Actor } from '@corral/contract';
import { mustHaveSession } from './actors.ts';

/** Requires a session, since only its account's address decides; returns the raw id of the user. */
export function mustBeInvitee(actor: Actor): string {
  return ids.user.raw(mustHaveSession(actor).userId);
}

/** The same refusal for every invitation that the calling user cannot accept or decline, so that it reveals none of another's. */
export function noSuchInvitation(): ActionError {
  return new ActionError(
    'Invalid',
    'Invitation not found. It was accepted, declined or revoked already, has ended, or is for another e-mail address.',
  );
}
