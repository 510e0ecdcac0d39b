import { signActivationToken } from '../../auth/activation-token.ts';
import type { Handler } from '../../executor/handler.ts';
import { mustBeHub } from '../../policy/actors.ts';
import { instanceKey, type KeyContext } from '../../store/instance-keys.ts';
import { leaseDueMail, type DueMail } from '../../store/mail-queue.ts';

/** Leases the next e-mail. Its link is only created now, so no usable link is stored. */
export const TakeDueMail: Handler<'mail_TakeDueMail'> = {
  authorize: ({ actor }) => mustBeHub(actor),

  async run({ tx, now, vault }) {
    const due = await leaseDueMail(tx, now);
    if (due === undefined) return { result: 'None' };
    const mailFields = { mailId: due.mail_id, to: due.email, queuedAt: due.created_at };
    if (due.kind !== 'Activation') return { result: 'Taken', mail: { ...mailFields, kind: due.kind } };
    const expiresAt = due.expires_at ?? due.created_at;
    const activationToken = await tokenFor({ tx, now, vault }, due, new Date(expiresAt));
    return { result: 'Taken', mail: { ...mailFields, kind: 'Activation', activationToken, expiresAt } };
  },
};

async function tokenFor(keeper: KeyContext, due: DueMail, expiresAt: Date): Promise<string> {
  const key = await instanceKey(keeper, 'activation');
  return signActivationToken(key, { registrationId: due.user_id, issuedAt: keeper.now, expiresAt });
}
