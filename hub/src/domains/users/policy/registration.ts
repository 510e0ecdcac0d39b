import { canonicalEmail, type Actor } from '@corral/contract';
import type { KeyContext } from '../../instance/index.ts';
import { invitationOfLink } from '../../members/index.ts';
import { mustGivePasswords } from '../sql/password-policy.ts';
import { forbidden, mustBeVisitor } from '../../../auth/actors.ts';

/** A registration to be permitted. */
interface Registration {
  /** Whether self-registration is open. */
  readonly isOpen: boolean;
  /** As typed. */
  readonly email: string;
  readonly invitationToken: string | undefined;
}

/** Requires a visitor, that new accounts may have a password, and that self-registration is open or the visitor has the link of a pending invitation to the same address. */
export async function mustBeAllowedToRegister(
  keyContext: KeyContext,
  actor: Actor,
  { isOpen, email, invitationToken }: Registration,
): Promise<void> {
  mustBeVisitor(actor);
  await mustGivePasswords(keyContext.tx);
  if (isOpen) return;
  if (invitationToken === undefined)
    throw forbidden('This hub takes no registrations. Ask its administrator for an account.');
  const invitation = await invitationOfLink(keyContext, invitationToken);
  if (invitation?.email === canonicalEmail(email)) return;
  throw forbidden(
    'This invitation was revoked, has ended, or is for another e-mail address, and this hub takes no other registrations. Ask for a new invitation.',
  );
}
