/** Whatever wants to be told that about a second has passed. */
export interface Tickable {
  tick(): void;
}

/** One timer for all connections of the process; it runs only while somebody is there to be told. */
export class Ticker {
  readonly #members = new Set<Tickable>();
  #timer: ReturnType<typeof setInterval> | undefined;

  /** Tells a member every second from now on. */
  add(member: Tickable): void {
    this.#members.add(member);
    this.#timer ??= setInterval(() => this.#tick(), 1_000);
  }

  /** Tells a member no more. */
  remove(member: Tickable): void {
    this.#members.delete(member);
    if (this.#members.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #tick(): void {
    for (const member of this.#members) member.tick();
  }
}
