import { ActionError, ids, type Actor } from '@corral/contract';
import { mustHaveSession } from '../../../auth/actors.ts';

/** Requires a session, because an invitation is for the address of an account; returns the raw id of the user. */
export function mustBeInvitee(actor: Actor): string {
  return ids.user.raw(mustHaveSession(actor).userId);
}

/** The same error for all invitations that the user cannot accept or decline, so that it reveals none of other users. */
export function noSuchInvitation(): ActionError {
  return new ActionError(
    'Invalid',
    'Invitation not found. It was accepted, declined or revoked already, has ended, or is for another e-mail address.',
  );
}
