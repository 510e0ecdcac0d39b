/** A rendered e-mail. */
export interface Email {
  /** Becomes the Message-ID, so that a duplicate can be recognised. */
  readonly mailId: string;
  readonly kind: string;
  /** One address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The target of the e-mail's link. */
  readonly link: string;
  readonly queuedAt: Date;
}

/** Whether an e-mail was accepted or permanently refused. */
export type SendingResult = 'Sent' | 'Refused';

/** Sends e-mails. Rejects with an Error after a temporary failure. */
export interface MailTransport {
  send(email: Email): Promise<SendingResult>;
  /** The sentence for an e-mail that was sent. */
  accepted(to: string): string;
}
