/** How many calls of one connection are read, run and answered at a time: each holds an input or an output in memory. */
const callsAtOnce = 8;

/** The turns of the calls on one channel, which come one after the other. */
export interface ChannelTurns {
  /** Takes a turn; fulfilled when it has come, undefined if it has come already. */
  take(): Promise<void> | undefined;
  /** Ends a turn that has come, if one was taken. */
  end(): void;
}

/** Gives the calls of one connection their turns, in the order in which they ask. A call that waits is not read, so it costs only its channel. */
export class CallTurns {
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  /** The turns of a new channel. */
  ofChannel(): ChannelTurns {
    let isTaken = false;
    return {
      take: () => {
        isTaken = true;
        return this.#take();
      },
      end: () => {
        if (isTaken) this.#end();
        isTaken = false;
      },
    };
  }

  #take(): Promise<void> | undefined {
    if (this.#taken >= callsAtOnce) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#taken += 1;
    return undefined;
  }

  #end(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#taken -= 1;
    else next();
  }
}
