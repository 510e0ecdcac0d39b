/** An object to call about once a second. */
export interface Tickable {
  tick(): void;
}

/** One timer for all connections of the process; it runs only while there are members. */
export class Ticker {
  readonly #members = new Set<Tickable>();
  #timer: ReturnType<typeof setInterval> | undefined;

  /** Calls `tick` of a member every second from now on. */
  add(member: Tickable): void {
    this.#members.add(member);
    this.#timer ??= setInterval(() => this.#tick(), 1_000);
  }

  /** Stops calling a member. */
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
