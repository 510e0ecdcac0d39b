const sentences = {
  Denied: 'The sign-in was cancelled at the provider.',
  Invalid: 'The answer of the provider could not be verified. Sign in again.',
  Clock: 'The clock of the provider differs from the one of the hub. Ask an administrator.',
  NotProved: 'The provider did not say that you signed in there just now.',
  Unreachable: 'The provider could not be reached. Try again in a moment, or sign in another way.',
} as const;

/** A sign-in at a provider did not succeed. The sentence has no words of the provider. */
export class OidcRefused extends Error {
  readonly reason: keyof typeof sentences;

  constructor(reason: keyof typeof sentences, options?: ErrorOptions) {
    super(sentences[reason], options);
    this.name = 'OidcRefused';
    this.reason = reason;
  }
}
