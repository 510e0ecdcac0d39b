import { ActionError, ids, type Actor } from '@corral/contract';
import { mustBeEmail } from '../../../auth/email.ts';
import { countsOf, type RequestLimit } from '../../../auth/request-limits.ts';
import { waitInWords } from '../../../auth/wait-in-words.ts';
import { limits } from '../../../limits/table.ts';
import { instanceKey, type KeyContext } from '../../instance/index.ts';
import { addInvitation, renewInvitation, type ChangedInvitation } from './invitations.ts';
import { countRequest, countWithinLimits } from '../../users/index.ts';
import type { Scope } from './shared-scope.ts';

/** Who invites, as far as limits and invitations are concerned. */
interface Inviting extends KeyContext {
  readonly actor: Actor;
}

const goOn = (retryAfterSecs: number): string =>
  `Go on in ${waitInWords(retryAfterSecs)}, or pass on the link of a pending invitation.`;
const [anHour, aDay] = limits.invitations.windows.map(({ max }) => max);
const tooMany = (retryAfterSecs: number): string =>
  `Too many invitations: ${anHour} an hour and ${aDay} a day may be sent by one person. ${goOn(retryAfterSecs)}`;
const [{ max: mailsOfUser }, { max: mailsOfAll }] = [
  ...limits.invitationMailsOfUser.windows,
  ...limits.invitationMails.windows,
];
const tooManyMails = (retryAfterSecs: number): string =>
  `Too many e-mails to this address: ${mailsOfUser} a day may be sent by one person, and ${mailsOfAll} by all. ${goOn(retryAfterSecs)}`;

function inviterOf(actor: Actor): string | null {
  return 'userId' in actor ? ids.user.raw(actor.userId) : null;
}

async function countInvitation(inviting: Inviting): Promise<void> {
  const invitedBy = inviterOf(inviting.actor);
  if (invitedBy === null) return;
  const key = await instanceKey(inviting, 'request-limits');
  await countRequest(inviting.tx, countsOf(key, 'invitations', invitedBy), inviting.now, tooMany);
}

async function mailCountsOf(inviting: Inviting, email: string): Promise<RequestLimit[]> {
  const key = await instanceKey(inviting, 'request-limits');
  const inviter = inviterOf(inviting.actor) ?? '';
  return [
    ...countsOf(key, 'invitationMailsOfUser', email, inviter),
    ...countsOf(key, 'invitationMails', email),
  ];
}

/** An invitation, and whether its e-mail is sent. */
export interface NewlyInvited extends ChangedInvitation {
  readonly isMailed: boolean;
}

/**
 * Invites a typed address to a project or a repository; undefined if that is deleted. An address that gets too many e-mails is invited without one: otherwise whoever
 * sends these would keep others from inviting it. Throws an `ActionError` with the reason otherwise.
 */
export async function invite(
  inviting: Inviting,
  scope: Scope,
  typed: string,
): Promise<NewlyInvited | undefined> {
  const { tx, now, actor } = inviting;
  const email = mustBeEmail(typed);
  const invitedBy = inviterOf(actor);
  if (invitedBy !== null && (await emailOf(inviting, invitedBy)) === email)
    throw new ActionError('Invalid', 'You cannot invite yourself. Enter the address of somebody else.');
  await countInvitation(inviting);
  const isMailed = await countWithinLimits(tx, await mailCountsOf(inviting, email), now);
  const added = await addInvitation(tx, scope, { email, invitedBy, now, isMailed });
  return added && { ...added, isMailed };
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
  if (renewed === undefined) return undefined;
  await countInvitation(inviting);
  await countRequest(inviting.tx, await mailCountsOf(inviting, renewed.email), inviting.now, tooManyMails);
  return renewed;
}
