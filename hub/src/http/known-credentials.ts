/** How many credentials are kept; at more, the one that was used longest ago is forgotten. */
const maxCredentials = 10_000;

/** Remembers digests of credentials that were valid when they were last used, and whose they are. That permits nothing: it tells who need not be paced like a stranger. */
export class KnownCredentials {
  readonly #userIds = new Map<string, string>();

  /** Whose the credential of a digest was when it was last used and valid. */
  userOf(digest: string): string | undefined {
    return this.#userIds.get(digest);
  }

  /** Notes whose a credential is; undefined when it is not valid. */
  note(digest: string, userId: string | undefined): void {
    this.#userIds.delete(digest);
    if (userId === undefined) return;
    const [oldest] = this.#userIds.keys();
    if (oldest !== undefined && this.#userIds.size >= maxCredentials) this.#userIds.delete(oldest);
    this.#userIds.set(digest, userId);
  }
}
