import { readLinkToken, signLinkToken } from '../../../auth/link-token.ts';
import { existingInstanceKey, instanceKey, type KeyContext } from '../../instance/index.ts';
import { findInvitation, type LinkedInvitation } from './invitations.ts';

const purpose = 'invitation';

/** An invitation whose link is made. */
interface Linked {
  /** The raw id. */
  readonly invitationId: string;
  readonly expiresAt: Date;
}

/** The link of an invitation to the console at an origin. It is signed when it is needed, so no usable link is stored. */
export async function linkOf(
  keyContext: KeyContext,
  consoleOrigin: string,
  { invitationId, expiresAt }: Linked,
): Promise<string> {
  const key = await instanceKey(keyContext, purpose);
  const token = await signLinkToken(key, purpose, { id: invitationId, issuedAt: keyContext.now, expiresAt });
  return `${consoleOrigin}/signup?invitation=${token}`;
}

/** The pending invitation that the token of a link is about; undefined if the link is not of this hub, or the invitation has ended. */
export async function invitationOfLink(
  { tx, now, vault }: KeyContext,
  token: string,
): Promise<LinkedInvitation | undefined> {
  const key = await existingInstanceKey({ tx, vault }, purpose);
  const invitationId = key && (await readLinkToken(key, purpose, token, now));
  return invitationId === undefined ? undefined : findInvitation(tx, invitationId, now);
}
