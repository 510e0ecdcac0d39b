import type { AlertMessage } from '@corral/contract';
import { linesOfAlert, titleOfAlert } from '../messages/alert-texts.ts';
import type { Email } from './email.ts';
import { emailParts, type EmailTexts } from './email-parts.ts';

/** A queued e-mail as the dispatcher receives it. */
export type TakenMail = MailFields &
  (
    | { readonly kind: 'Activation'; readonly activationToken: string; readonly expiresAt: string }
    | {
        readonly kind: 'Invitation';
        readonly invitedTo: 'Project' | 'Repository';
        readonly link: string;
        readonly expiresAt: string;
      }
    | { readonly kind: 'PasswordLink'; readonly linkToken: string; readonly expiresAt: string }
    | { readonly kind: 'AddressTaken' | 'PasswordChanged' | 'FactorAdded' | 'FactorRemoved' | 'TokenCreated' }
    | { readonly kind: 'IdentityLinked' | 'IdentityUnlinked' | 'FactorLocked' | 'RecoveryCodesRenewed' }
    | { readonly kind: 'RecoveryCodeUsed'; readonly codesLeft: number }
    | { readonly kind: 'WebhookDisabled'; readonly projectId: string }
    | { readonly kind: 'RecordingWaived'; readonly projectId: string; readonly sessionId: string }
    | {
        readonly kind: 'Alert';
        readonly type: string;
        readonly message: AlertMessage;
        readonly unsubscribeUrl: string;
      }
    | {
        readonly kind: 'TokenExpiring';
        readonly tokenCreatedAt: string;
        readonly expiresAt: string;
        /** Of a token of a service account: where that belongs. */
        readonly projectId?: string;
        readonly repositoryId?: string;
      }
  );

interface MailFields {
  readonly mailId: string;
  readonly to: string;
  readonly queuedAt: string;
}

/** Renders a queued e-mail as text and HTML. Its link leads to the hub's public address. */
export function renderEmail(mail: TakenMail, publicUrl: string): Email {
  const texts = textsOf(mail, publicUrl);
  const { mailId, kind, to } = mail;
  return {
    mailId,
    kind,
    to,
    ...emailParts(texts, publicUrl),
    queuedAt: new Date(mail.queuedAt),
    ...(mail.kind === 'Alert' ? { unsubscribeUrl: mail.unsubscribeUrl, threadId: mail.message.ruleId } : {}),
  };
}

/** No e-mail contains user input such as names: otherwise anyone could send arbitrary text through the hub. Those of alerts do, which only members get. */
function textsOf(mail: TakenMail, publicUrl: string): EmailTexts {
  switch (mail.kind) {
    case 'Activation':
      return activation(mail.activationToken, mail.expiresAt, publicUrl);
    case 'Invitation':
      return invitation(mail, publicUrl);
    case 'PasswordLink':
      return passwordLink(mail.linkToken, mail.expiresAt, publicUrl);
    case 'AddressTaken':
      return addressTaken(publicUrl);
    case 'PasswordChanged':
      return passwordChanged(mail.queuedAt, publicUrl);
    case 'FactorAdded':
      return changed('A second factor was added to', 'Your account has a second factor', mail, publicUrl);
    case 'FactorRemoved':
      return changed('A second factor was removed from', 'Your second factor was removed', mail, publicUrl);
    case 'FactorLocked':
      return factorLocked(mail.queuedAt, publicUrl);
    case 'RecoveryCodeUsed':
      return recoveryCodeUsed(mail, publicUrl);
    case 'RecoveryCodesRenewed':
      return changed('New recovery codes were made for', 'Your recovery codes were renewed', mail, publicUrl);
    case 'TokenCreated':
      return changed('A user token was made for', 'Your account has a new token', mail, publicUrl);
    case 'IdentityLinked':
      return changed(
        'A way to sign in at the provider of this hub was linked to',
        'Your account has a new way to sign in',
        mail,
        publicUrl,
      );
    case 'IdentityUnlinked':
      return changed(
        'A way to sign in at a provider was unlinked from',
        'A way to sign in was removed',
        mail,
        publicUrl,
      );
    case 'Alert':
      return alert(mail);
    case 'WebhookDisabled':
      return webhookDisabled(mail.projectId, mail.queuedAt, publicUrl);
    case 'RecordingWaived':
      return recordingWaived(mail, publicUrl);
    case 'TokenExpiring':
      return tokenExpiring(mail, publicUrl);
  }
}

function activation(token: string, expiresAt: string, publicUrl: string): EmailTexts {
  return {
    subject: 'Confirm your e-mail address',
    before: [
      'Welcome to Corral.',
      `An account was requested for this e-mail address at ${publicUrl}. Follow this link to confirm the address and activate the account:`,
    ],
    link: { label: 'Activate my account', url: `${publicUrl}/signup/verify?jwt=${token}` },
    after: [
      `The link works once, until ${formatTime(expiresAt)}.`,
      'If you did not request the account, do nothing: without the link it will not be created.',
    ],
  };
}

function invitation(
  { invitedTo, link, expiresAt }: Extract<TakenMail, { kind: 'Invitation' }>,
  publicUrl: string,
): EmailTexts {
  const what = invitedTo === 'Project' ? 'a project' : 'a software repository';
  return {
    subject: `You are invited to ${what}`,
    before: [
      `Somebody invites you to ${what} at ${publicUrl}.`,
      'Follow this link to see what it is and who invites you, and to accept or decline. You need an account with this e-mail address; if you have none, the link leads to the form for it:',
    ],
    link: { label: 'See the invitation', url: link },
    after: [
      `The invitation is for this e-mail address only, and ends on ${formatTime(expiresAt)}.`,
      'If you do not expect it, do nothing: it expires by itself.',
    ],
  };
}

function passwordLink(token: string, expiresAt: string, publicUrl: string): EmailTexts {
  return {
    subject: 'Set your password',
    before: [
      `A link to set the password of your account at ${publicUrl} was asked for, by an administrator or by somebody who signed up or is signed in with this e-mail address. Follow it to set the password:`,
    ],
    link: { label: 'Set my password', url: `${publicUrl}/set-password?jwt=${token}` },
    after: [
      `The link works once, until ${formatTime(expiresAt)}. Your current password, if you have one, stays valid until then.`,
      'If you did not expect this, do nothing: without the link nothing changes.',
    ],
  };
}

function addressTaken(publicUrl: string): EmailTexts {
  return {
    subject: 'You already have an account',
    before: [
      `Somebody tried to make an account with this e-mail address at ${publicUrl}. It has an account already, and nothing about it was changed.`,
      'If it was you, sign in with the password that you have:',
    ],
    link: { label: 'Sign in', url: `${publicUrl}/login` },
    after: [
      'If you no longer know the password, ask an administrator of this hub for a link to set a new one.',
      'If it was not you, there is nothing to do.',
    ],
  };
}

function passwordChanged(at: string, publicUrl: string): EmailTexts {
  return {
    subject: 'Your password was changed',
    before: [
      `The password of your account at ${publicUrl} was changed on ${formatTime(at)}. Other sessions of the account have been signed out.`,
      'API tokens stay valid. Review them, and delete those that you do not recognize:',
    ],
    link: { label: 'Review my tokens', url: `${publicUrl}/settings/security` },
    after: ['If you did not expect this change, tell the administrator of this hub at once.'],
  };
}

function changed(
  change: string,
  subject: string,
  { queuedAt }: Pick<TakenMail, 'queuedAt'>,
  publicUrl: string,
): EmailTexts {
  return {
    subject,
    before: [
      `${change} your account at ${publicUrl} on ${formatTime(queuedAt)}.`,
      'See how your account is protected, and where it is signed in:',
    ],
    link: { label: 'Review my account', url: `${publicUrl}/settings/security` },
    after: ['If you did not expect this change, tell the administrator of this hub at once.'],
  };
}

function factorLocked(at: string, publicUrl: string): EmailTexts {
  return {
    subject: 'Your authenticator was locked',
    before: [
      `Ten wrong codes were typed for your account at ${publicUrl}, the last on ${formatTime(at)}, each after the right password or in a session of yours. No code of your authenticator is accepted any more.`,
      'A recovery code signs you in, and unlocks it; without one, an administrator of this hub can remove it. If it was not you, somebody knows your password: change it.',
    ],
    link: { label: 'Review my account', url: `${publicUrl}/settings/security` },
    after: ['If you did not type these codes, tell the administrator of this hub at once.'],
  };
}

function recoveryCodeUsed(
  { queuedAt, codesLeft }: Extract<TakenMail, { kind: 'RecoveryCodeUsed' }>,
  publicUrl: string,
): EmailTexts {
  const left =
    codesLeft === 0 ? 'None is left.' : codesLeft === 1 ? 'One is left.' : `${codesLeft} are left.`;
  return {
    subject: 'A recovery code was used',
    before: [
      `A recovery code of your account at ${publicUrl} was used on ${formatTime(queuedAt)}. ${left}`,
      'See where your account is signed in, and make new codes before the last is used:',
    ],
    link: { label: 'Review my account', url: `${publicUrl}/settings/security` },
    after: ['If you did not use it, tell the administrator of this hub at once.'],
  };
}

function recordingWaived(
  { projectId, sessionId, queuedAt }: Extract<TakenMail, { kind: 'RecordingWaived' }>,
  publicUrl: string,
): EmailTexts {
  return {
    subject: 'A terminal goes on without a recording',
    before: [
      `A project that you own at ${publicUrl} requires that terminals are recorded. On ${formatTime(queuedAt)} an owner let one terminal go on where its output cannot be recorded.`,
      'See who did so, why, and what was recorded:',
    ],
    link: { label: 'See the terminal', url: `${publicUrl}/projects/${projectId}/terminals/${sessionId}` },
    after: ['All other terminals of the project are recorded as before, or end.'],
  };
}

function webhookDisabled(projectId: string, at: string, publicUrl: string): EmailTexts {
  return {
    subject: 'A webhook sends nothing any more',
    before: [
      `A webhook of a project that you own at ${publicUrl} was disabled on ${formatTime(at)}, because its receiver is gone or has refused all messages for five days.`,
      'See what it says, and enable it again when the receiver works:',
    ],
    link: { label: 'See the webhooks', url: `${publicUrl}/projects/${projectId}/webhooks` },
    after: ['If nothing uses it any more, delete it.'],
  };
}

function alert({ type, message, unsubscribeUrl }: Extract<TakenMail, { kind: 'Alert' }>): EmailTexts {
  return {
    subject: titleOfAlert(type, message),
    before: linesOfAlert(message),
    link: { label: 'See the alerts', url: message.url },
    after: [
      `This was so on ${formatTime(message.at)}.`,
      `To get no more e-mails of this rule: ${unsubscribeUrl}`,
    ],
  };
}

function tokenExpiring(
  { tokenCreatedAt, expiresAt, ...home }: Extract<TakenMail, { kind: 'TokenExpiring' }>,
  publicUrl: string,
): EmailTexts {
  const place = placeOfServiceAccount(home);
  const whose =
    place === undefined
      ? `A token of your account at ${publicUrl}`
      : `A token of a service account that you manage at ${publicUrl}`;
  return {
    subject: 'A user token expires soon',
    before: [
      `${whose}, created on ${formatTime(tokenCreatedAt)}, expires on ${formatTime(expiresAt)}. What uses it then has no access any more.`,
      'Create a new one in time, and replace it:',
    ],
    link:
      place === undefined
        ? { label: 'Review my tokens', url: `${publicUrl}/settings/security` }
        : { label: 'See the service accounts', url: `${publicUrl}${place}` },
    after: ['If nothing uses this token any more, there is nothing to do.'],
  };
}

function placeOfServiceAccount({
  projectId,
  repositoryId,
}: Pick<Extract<TakenMail, { kind: 'TokenExpiring' }>, 'projectId' | 'repositoryId'>): string | undefined {
  if (projectId !== undefined) return `/projects/${projectId}/settings`;
  return repositoryId === undefined ? undefined : `/repositories/${repositoryId}/settings`;
}

/** A time in UTC, such as `20 November 2026 at 12:05 UTC`. */
function formatTime(timestamp: string): string {
  const at = new Date(timestamp);
  const part = (options: Intl.DateTimeFormatOptions): string =>
    at.toLocaleString('en-GB', { ...options, timeZone: 'UTC' });
  const day = part({ day: 'numeric', month: 'long', year: 'numeric' });
  return `${day} at ${part({ hour: '2-digit', minute: '2-digit' })} UTC`;
}
