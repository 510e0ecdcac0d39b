import type { MailTransport } from './email.ts';

/**
 * The transport of a cluster without a mail server. A folder would be on the machine of whichever node sends, so e-mails wait: those that
 * are queued are sent once a server is set.
 */
export const missingTransport: MailTransport = {
  accepted: (to) => `The e-mail to ${to} was sent.`,
  async send() {
    throw new Error(
      'No mail server is set, and the nodes of a cluster share no folder for e-mails: set CORRAL_SMTP_URL, or the mail server in the settings of the instance.',
    );
  },
};
