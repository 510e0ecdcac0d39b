import type { Database } from '../../db/connect.ts';
import { signActivationToken } from '../../auth/activation-token.ts';
import type { Handler } from '../../executor/handler.ts';
import { mustBeHub } from '../../policy/actors.ts';
import { instanceKey } from '../../store/instance-keys.ts';
import { takeMail, type DueMail } from '../../store/mail-queue.ts';

/** Takes the next e-mail. Its address and its link are put together only now, so that neither waits anywhere in the clear. */
export const TakeDueMail: Handler<'mail_TakeDueMail'> = {
  authorize: ({ actor }) => mustBeHub(actor),

  async run({ tx, now }) {
    const due = await takeMail(tx, now);
    if (due === undefined) return { result: 'None' };
    const letter = { mailId: due.mail_id, to: due.email, queuedAt: due.created_at };
    if (due.kind !== 'Activation') return { result: 'Taken', mail: { ...letter, kind: due.kind } };
    const expiresAt = due.expires_at ?? due.created_at;
    const activationToken = await tokenFor(tx, due, new Date(expiresAt), now);
    return { result: 'Taken', mail: { ...letter, kind: 'Activation', activationToken, expiresAt } };
  },
};

async function tokenFor(tx: Database, due: DueMail, expiresAt: Date, now: Date): Promise<string> {
  const key = await instanceKey(tx, 'activation', now);
  return signActivationToken(key, { registrationId: due.user_id, issuedAt: now, expiresAt });
}
