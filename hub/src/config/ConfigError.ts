/** The configuration cannot be used; the message is one sentence for the operator and names the key. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigError';
  }
}
