import type { Output } from '@corral/contract';
import type { PendingRegistration } from '../users/users-view.ts';

/** An e-mail that its recipient did not get. */
export type WaitingMail = Output<'users_QueryWaitingMails'>['mails'][number];

/** The e-mails that could not be sent; without a mail server also those of registrations, which were never sent. */
export function waitingMails(
  queued: readonly WaitingMail[],
  registrations: readonly PendingRegistration[],
  isMailConfigured: boolean,
): WaitingMail[] {
  if (isMailConfigured) return [...queued];
  const known = new Set(queued.filter(({ kind }) => kind === 'Activation').map(({ userId }) => userId));
  const unsent = registrations.filter(({ userId }) => !known.has(userId));
  return [
    ...queued,
    ...unsent.map(({ userId, email, createdAt }) => ({
      mailId: userId,
      kind: 'Activation' as const,
      email,
      userId,
      queuedAt: createdAt,
      attempts: 0,
    })),
  ];
}
