import { canonicalEmail, ids, type EventName, type Json } from '@corral/contract';
import { domainOf, readDomains } from '../../../auth/oidc/email-domains.ts';
import type { Identity } from '../../../auth/oidc/provider.ts';
import { countsOf } from '../../../auth/request-limits.ts';
import { instanceKey, type KeyContext, readSetting } from '../../instance/index.ts';
import { invitationOfLink, joinByLink } from '../../members/index.ts';
import { countRequest } from '../../users/index.ts';
import { addLinkedAccount } from '../sql/linked-accounts.ts';

/** Why somebody who is not linked gets no account: nothing allows one, the address has one, or the invitation has ended. */
export type RefusedNewcomer = 'Unknown' | 'Exists' | 'Invitation';

/** A new account, by its raw id, and the events of it. */
interface Newcomer {
  readonly userId: string;
  readonly changes: readonly (readonly [EventName, Readonly<Record<string, Json>>])[];
}

/** Makes an account for somebody who is not linked, where an invitation or the domain of the verified address allows it. An account that exists is never touched. Throws Throttled for too many at once. */
export async function admitNewcomer(
  context: KeyContext,
  identity: Identity,
  invitationToken: string | undefined,
): Promise<Newcomer | RefusedNewcomer> {
  if (invitationToken !== undefined) return admitInvited(context, identity, invitationToken);
  const email = await provisionedEmail(context.tx, identity);
  if (email === undefined) return 'Unknown';
  const { tx, now } = context;
  const key = await instanceKey(context, 'request-limits');
  await countRequest(tx, countsOf(key, 'visitorRequests', 'register'), now, 'Too many new accounts.');
  const userId = await addLinkedAccount(tx, { email, onlyInvitationId: null, now }, identity);
  return userId === undefined ? 'Exists' : { userId, changes: [created(userId, email)] };
}

async function admitInvited(
  context: KeyContext,
  identity: Identity,
  token: string,
): Promise<Newcomer | RefusedNewcomer> {
  const { tx, now } = context;
  const invitation = await invitationOfLink(context, token);
  if (invitation === undefined) return 'Invitation';
  const { email, invitationId } = invitation;
  // Who has the link may have got it from the inviter, and not by e-mail.
  const isConfirmed = identity.isEmailVerified && canonicalEmail(identity.email ?? '') === email;
  const account = { email, onlyInvitationId: isConfirmed ? null : invitationId, now };
  const userId = await addLinkedAccount(tx, account, identity);
  if (userId === undefined) return 'Exists';
  const joined = await joinByLink(tx, invitation, userId, now);
  if (joined !== undefined) return { userId, changes: [created(userId, email), ...joined] };
  await tx.deleteFrom('users').where('user_id', '=', userId).execute();
  return 'Invitation';
}

const created = (userId: string, email: string) =>
  ['users_Created', { userId: ids.user.of(userId), email }] as const;

/** The address of somebody who gets an account without being invited, canonical. */
async function provisionedEmail(
  tx: KeyContext['tx'],
  { email, isEmailVerified }: Identity,
): Promise<string | undefined> {
  if (email === undefined || !isEmailVerified) return undefined;
  const domain = domainOf(email);
  const allowed = readDomains(String((await readSetting(tx, 'oidcDomains')) ?? '')) ?? [];
  return domain !== undefined && allowed.includes(domain) ? canonicalEmail(email) : undefined;
}
