import { ids } from '@corral/contract';
import type { Emit, Internal } from '../../../calls/handler.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { recordInvitationMail } from '../../members/index.ts';
import { deleteMail, postponeMail } from '../sql/mail-queue.ts';
import { recordRegistrationEmail } from '../sql/registrations.ts';

interface MailReport {
  readonly mailId: string;
  readonly outcome: 'Sent' | 'Failed' | 'Refused' | 'NotMailed';
}

/** Removes an e-mail that was sent, permanently refused or written to a file, and schedules a retry after a failure; a repeated report has no effect. Returns the time of the next attempt, if any. */
export const ReportMailOutcome: Internal<MailReport, { nextAttemptAt?: string }> = {
  name: 'mail_ReportMailOutcome',
  async run({ tx, input: { mailId, outcome }, now, emit }) {
    if (outcome === 'Failed') {
      const next = await postponeMail(tx, mailId, now);
      return next === undefined ? {} : { nextAttemptAt: next.toISOString() };
    }
    const mail = await deleteMail(tx, mailId);
    if (mail?.kind === 'Invitation')
      await recordInvitation(tx, { id: mail.recipient_id, outcome, now }, emit);
    if (outcome === 'Refused' || mail?.kind !== 'Activation') return {};
    const email = await recordRegistrationEmail(tx, mail.recipient_id, now);
    if (email !== undefined)
      emit('users_RegistrationEmailSent', { userId: ids.user.of(mail.recipient_id), email });
    return {};
  },
};

interface MailedInvitation {
  readonly id: string;
  readonly outcome: 'Sent' | 'Refused' | 'NotMailed';
  readonly now: Date;
}

async function recordInvitation(tx: Database, mailed: MailedInvitation, emit: Emit): Promise<void> {
  const scope = await recordInvitationMail(tx, mailed.id, mailed.outcome, mailed.now);
  if (scope?.kind === 'project') emit('projects_InvitationMailed', { projectId: ids.project.of(scope.id) });
  if (scope?.kind === 'repository')
    emit('repositories_InvitationMailed', { repositoryId: ids.repository.of(scope.id) });
}
