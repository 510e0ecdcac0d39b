import { ActionError, ids, type Actor } from '@corral/contract';
import { mustBeEmail } from '../auth/email.ts';
import { invitationLimits } from '../auth/request-limits.ts';
import { waitInWords } from '../auth/wait-in-words.ts';
import { instanceKey, type KeyContext } from './instance-keys.ts';
import { addInvitation, renewInvitation, type ChangedInvitation } from './invitations.ts';
import { countRequest } from './request-limits.ts';
import type { Scope } from './shared-scope.ts';

/** Who invites, as far as limits and invitations are concerned. */
interface Inviting extends KeyContext {
  readonly actor: Actor;
}

const tooMany = (retryAfterSecs: number): string =>
  `Too many invitations: 100 an hour and 400 a day may be sent by one person, and 20 a day to one address. Go on in ${waitInWords(retryAfterSecs)}, or pass on the link of a pending invitation.`;

function inviterOf(actor: Actor): string | null {
  return 'userId' in actor ? ids.user.raw(actor.userId) : null;
}

async function countMail(inviting: Inviting, email: string): Promise<void> {
  const key = await instanceKey(inviting, 'request-limits');
  await countRequest(
    inviting.tx,
    invitationLimits(key, inviterOf(inviting.actor), email),
    inviting.now,
    tooMany,
  );
}

/** Invites a typed address to a project or a repository, within the limits of mails; undefined if that is deleted. Throws an `ActionError` with the reason otherwise. */
export async function invite(
  inviting: Inviting,
  scope: Scope,
  typed: string,
): Promise<ChangedInvitation | undefined> {
  const { tx, now, actor } = inviting;
  const email = mustBeEmail(typed);
  const invitedBy = inviterOf(actor);
  if (invitedBy !== null && (await emailOf(inviting, invitedBy)) === email)
    throw new ActionError('Invalid', 'You cannot invite yourself. Enter the address of somebody else.');
  await countMail(inviting, email);
  return addInvitation(tx, scope, { email, invitedBy, now });
}

async function emailOf({ tx }: Inviting, userId: string): Promise<string | undefined> {
  const row = await tx.selectFrom('users').select('email').where('user_id', '=', userId).executeTakeFirst();
  return row?.email;
}

/** Sends the e-mail of a pending invitation again, within the same limits; undefined if there is none. */
export async function resend(
  inviting: Inviting,
  scope: Scope,
  invitationId: string,
): Promise<ChangedInvitation | undefined> {
  const renewed = await renewInvitation(inviting.tx, scope, invitationId, inviting.now);
  if (renewed !== undefined) await countMail(inviting, renewed.email);
  return renewed;
}
