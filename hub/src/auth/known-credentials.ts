/** How many credentials are kept; at more, the one that was used longest ago is forgotten. */
const maxCredentials = 10_000;

/** Remembers digests of credentials that were valid when they were last used, and whose they are. That permits nothing: it tells who need not be paced like a stranger. */
export class KnownCredentials {
  readonly #owners = new Map<string, string>();

  /** Whose the credential of a digest was when it was last used and valid: a user, or the host name of a device. */
  ownerOf(digest: string): string | undefined {
    return this.#owners.get(digest);
  }

  /** Notes whose a credential is; undefined when it is not valid. */
  note(digest: string, owner: string | undefined): void {
    this.#owners.delete(digest);
    if (owner === undefined) return;
    const [oldest] = this.#owners.keys();
    if (oldest !== undefined && this.#owners.size >= maxCredentials) this.#owners.delete(oldest);
    this.#owners.set(digest, owner);
  }
}
