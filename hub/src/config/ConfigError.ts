/** The configuration is invalid; the message is one sentence for the operator and names the setting. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigError';
  }
}
