/** How many credentials are kept; at more, the one that was used longest ago is forgotten. */
const maxCredentials = 10_000;

/** Remembers digests of credentials that were valid when they were last used. That permits nothing: it tells who need not be paced like a stranger. */
export class KnownCredentials {
  readonly #digests = new Set<string>();

  /** Whether the credential of a digest was valid when it was last used. */
  has(digest: string): boolean {
    return this.#digests.has(digest);
  }

  /** Notes that a credential is valid, or that it is not. */
  note(digest: string, isValid: boolean): void {
    this.#digests.delete(digest);
    if (!isValid) return;
    const [oldest] = this.#digests;
    if (oldest !== undefined && this.#digests.size >= maxCredentials) this.#digests.delete(oldest);
    this.#digests.add(digest);
  }
}
