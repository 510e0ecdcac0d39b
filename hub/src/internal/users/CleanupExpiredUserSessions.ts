import { sql } from 'kysely';
import type { Internal } from '../../executor/internal.ts';
import { liveSession } from '../../store/accounts.ts';
import { deleteOrphanedMails } from '../../store/mail-queue.ts';
import { deleteExpiredPasswordLinks } from '../../store/password-links.ts';
import { deleteExpiredRegistrations } from '../../store/registrations.ts';
import { forgetKeptNames } from '../../store/repository-names.ts';
import { deleteExpiredRequestCounts } from '../../store/request-limits.ts';
import { deleteStaleSignInFailures } from '../../store/sign-in-failures.ts';

/** Deletes expired and idle sessions, unconfirmed registrations, expired counters and names that are not kept any more. */
export const CleanupExpiredUserSessions: Internal<void, void> = {
  name: 'users_CleanupExpiredUserSessions',
  async run({ tx, now }) {
    await tx
      .deleteFrom('user_sessions')
      .where(sql<boolean>`not ${liveSession(now)}`)
      .execute();
    await deleteStaleSignInFailures(tx, now);
    await deleteExpiredRegistrations(tx, now);
    await deleteOrphanedMails(tx);
    await deleteExpiredPasswordLinks(tx, now);
    await deleteExpiredRequestCounts(tx, now);
    await forgetKeptNames(tx, now);
  },
};
