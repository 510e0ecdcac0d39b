/** An e-mail, ready to be sent. */
export interface Letter {
  /** Names the e-mail for good: one that is sent twice can be told to be the same. */
  readonly mailId: string;
  readonly kind: string;
  /** One address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Where the e-mail leads. */
  readonly link: string;
  readonly queuedAt: Date;
}

/** Whether a letter was taken, or was refused for good, so that to try again is no use. */
export type SendingResult = 'Sent' | 'Refused';

/** Brings letters out. What may go well another time is rejected with an Error. */
export interface Post {
  send(letter: Letter): Promise<SendingResult>;
}
