/** A rendered e-mail. */
export interface Email {
  /** Becomes the Message-ID, by which mail programs recognize duplicates. */
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
  /** Where the recipient asks for no more of them, by one POST without signing in. */
  readonly unsubscribeUrl?: string;
  /** E-mails of the same thread are shown together. */
  readonly threadId?: string;
}

/** Whether an e-mail was accepted, permanently refused, or only written to a file for want of a mail server. */
export type SendingResult = 'Sent' | 'Refused' | 'NotMailed';

/** A way to send e-mails. */
export interface MailTransport {
  /** Rejects with an Error after a temporary failure. */
  send(email: Email): Promise<SendingResult>;
  /** The sentence for users after an e-mail to this address was sent or written to a file. */
  acceptedMessage(to: string): string;
}
