import { ids, type Output } from '@corral/contract';
import { readLinkToken } from '../../../auth/link-token.ts';
import { mustBeVisitor } from '../../../auth/actors.ts';
import type { Handler } from '../../../calls/handler.ts';
import { existingInstanceKey, type KeyContext } from '../../instance/index.ts';
import { userOfPasswordLink } from '../sql/password-links.ts';
import { findRegistration } from '../sql/registrations.ts';

type Found = Output<'users_ResolveAccountLink'>;

/** Returns what a link is about without using it: programs that scan mails open links, too. Who holds the link may know it. */
export const ResolveAccountLink: Handler<'users_ResolveAccountLink'> = {
  authorize: ({ actor }) => mustBeVisitor(actor),

  async run({ tx, input: { token }, now, vault }) {
    const keyContext = { tx, now, vault };
    const found = (await ofRegistration(keyContext, token)) ?? (await ofPassword(keyContext, token));
    return found ?? { result: 'NotFound' };
  },
};

async function ofRegistration({ tx, now, vault }: KeyContext, token: string): Promise<Found | undefined> {
  const key = await existingInstanceKey({ tx, vault }, 'activation');
  const valid = key && (await readLinkToken(key, 'activation', token, now));
  const found = valid === undefined ? undefined : await findRegistration(tx, valid, now);
  if (found !== undefined)
    return { result: 'Registration', userId: ids.user.of(found.user_id), ...accountOf(found) };
  const worked = key && (await readLinkToken(key, 'activation', token, now, true));
  if (worked === undefined) return undefined;
  const account = await tx
    .selectFrom('users')
    .select('user_id')
    .where('user_id', '=', worked)
    .executeTakeFirst();
  return account && { result: 'Active' };
}

async function ofPassword({ tx, now, vault }: KeyContext, token: string): Promise<Found | undefined> {
  const key = await existingInstanceKey({ tx, vault }, 'password-link');
  const linkId = key && (await readLinkToken(key, 'password', token, now));
  const found = linkId === undefined ? undefined : await userOfPasswordLink(tx, linkId, now);
  return found && { result: 'Password', ...accountOf(found) };
}

function accountOf({ email, display_name: displayName }: { email: string; display_name: string | null }) {
  return { email, ...(displayName === null ? {} : { displayName }) };
}
