import { sql } from 'kysely';
import type { Internal } from '../../../calls/handler.ts';
import { deleteExpiredChallenges } from '../../passkeys/index.ts';
import { forgetKeptNames } from '../../repositories/index.ts';
import { liveSession } from '../sql/accounts.ts';
import { deleteOrphanedMails } from '../sql/mail-queue.ts';
import { deleteExpiredPasswordLinks } from '../sql/password-links.ts';
import { deleteExpiredSignIns } from '../sql/pending-sign-ins.ts';
import { deleteExpiredRegistrations } from '../sql/registrations.ts';
import { deleteExpiredRequestCounts } from '../sql/request-limits.ts';
import { deleteExpiredEnrolments } from '../sql/second-factors.ts';
import { deleteStaleSignInFailures } from '../sql/sign-in-failures.ts';

/** Deletes expired and idle sessions, unconfirmed registrations, expired counters and names that are not kept any more. */
export const CleanupExpiredUserSessions: Internal<void, void> = {
  name: 'users_CleanupExpiredUserSessions',
  async run({ tx, now }) {
    await tx
      .deleteFrom('user_sessions')
      .where(sql<boolean>`not ${liveSession(now)}`)
      .execute();
    await deleteExpiredSignIns(tx, now);
    await deleteExpiredChallenges(tx, now);
    await deleteExpiredEnrolments(tx, now);
    await deleteStaleSignInFailures(tx, now);
    await deleteExpiredRegistrations(tx, now);
    await deleteOrphanedMails(tx);
    await deleteExpiredPasswordLinks(tx, now);
    await deleteExpiredRequestCounts(tx, now);
    await forgetKeptNames(tx, now);
  },
};
