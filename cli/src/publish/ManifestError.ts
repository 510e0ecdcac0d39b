/** What is wrong with a manifest. */
export class ManifestError extends Error {
  /** The line of the manifest, from 1. */
  readonly line: number;

  constructor(line: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ManifestError';
    this.line = line;
  }
}
