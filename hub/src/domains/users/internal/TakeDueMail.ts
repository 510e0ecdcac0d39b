import { alertMessage, ids } from '@corral/contract';
import { linkValidForSecs, signLinkToken } from '../../../auth/link-token.ts';
import type { Internal } from '../../../calls/handler.ts';
import type { TakenMail } from '../../../platform/mail/render-email.ts';
import { instanceKey, type KeyContext } from '../../instance/index.ts';
import { linkOf } from '../../members/index.ts';
import { unsubscribePath } from '../policy/unsubscribe-path.ts';
import { type DueMail, leaseDueMail } from '../sql/mail-queue.ts';
import { homeOfRow } from '../sql/service-accounts.ts';

/** Leases the next e-mail. Its link is only created now, so no usable link is stored. */
export const TakeDueMail: Internal<void, TakenMail | undefined> = {
  name: 'mail_TakeDueMail',
  async run({ tx, now, vault, origins }) {
    const due = await leaseDueMail(tx, now);
    if (due === undefined) return undefined;
    const keyContext = { tx, now, vault };
    const fields = { mailId: due.mail_id, to: due.email, queuedAt: due.created_at };
    const expiresAt = due.expires_at ?? due.created_at;
    switch (due.kind) {
      case 'Activation': {
        const activationToken = await tokenFor(keyContext, due, new Date(expiresAt));
        return { ...fields, kind: due.kind, activationToken, expiresAt };
      }
      case 'Invitation': {
        const invitation = { invitationId: due.recipient_id, expiresAt: new Date(expiresAt) };
        const link = await linkOf(keyContext, origins.console, invitation);
        const invitedTo = due.invited_to ?? 'Project';
        return { ...fields, kind: due.kind, invitedTo, link, expiresAt };
      }
      case 'PasswordLink': {
        const linkToken = await linkTokenFor(keyContext, due, new Date(expiresAt));
        return { ...fields, kind: due.kind, linkToken, expiresAt };
      }
      case 'TokenExpiring': {
        const tokenCreatedAt = due.token_created_at ?? due.created_at;
        return { ...fields, kind: due.kind, tokenCreatedAt, expiresAt, ...homeOfRow(due) };
      }
      case 'RecoveryCodeUsed':
        return { ...fields, kind: due.kind, codesLeft: due.codes_left };
      case 'Alert': {
        const { type = 'alert.fired', ...message } = due.alert_message ?? {};
        const unsubscribeUrl = `${origins.console}${unsubscribePath}?token=${await unsubscriptionTokenFor(keyContext, due)}`;
        return { ...fields, kind: due.kind, type, message: alertMessage.parse(message), unsubscribeUrl };
      }
      case 'RecordingWaived': {
        const projectId = ids.project.of(due.terminal_project_id ?? '');
        return {
          ...fields,
          kind: due.kind,
          projectId,
          sessionId: ids.terminal.of(due.terminal_session_id ?? ''),
        };
      }
      case 'WebhookDisabled':
        return { ...fields, kind: due.kind, projectId: ids.project.of(due.webhook_project_id ?? '') };
      default:
        return { ...fields, kind: due.kind };
    }
  },
};

async function tokenFor(keyContext: KeyContext, due: DueMail, expiresAt: Date): Promise<string> {
  const key = await instanceKey(keyContext, 'activation');
  return signLinkToken(key, 'activation', { id: due.recipient_id, issuedAt: keyContext.now, expiresAt });
}

async function linkTokenFor(keyContext: KeyContext, due: DueMail, expiresAt: Date): Promise<string> {
  const key = await instanceKey(keyContext, 'password-link');
  return signLinkToken(key, 'password', { id: due.link_id ?? '', issuedAt: keyContext.now, expiresAt });
}

async function unsubscriptionTokenFor(keyContext: KeyContext, due: DueMail): Promise<string> {
  const key = await instanceKey(keyContext, 'unsubscription');
  const issuedAt = keyContext.now;
  const expiresAt = new Date(issuedAt.getTime() + linkValidForSecs.unsubscription * 1000);
  return signLinkToken(key, 'unsubscription', {
    id: `${due.rule_id} ${due.recipient_id}`,
    issuedAt,
    expiresAt,
  });
}
