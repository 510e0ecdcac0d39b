import type { MailTransport } from './email.ts';

/** The transport of a cluster without a mail server: e-mails fail temporarily and stay queued, since nodes share no folder. */
export const missingTransport: MailTransport = {
  acceptedMessage: (to) => `The e-mail to ${to} was sent.`,
  async send() {
    throw new Error(
      'No mail server is set, and the nodes of a cluster share no folder for e-mails: set CORRAL_SMTP_URL, or the mail server in the settings of the instance.',
    );
  },
};
